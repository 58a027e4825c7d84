// hdf5_calls.h - HDF5, loaded when it is first needed (base/library/library.h): include this instead of its
// header. Inside src/store only.
#ifndef LIM_BASE_HDF5_HDF5_CALLS_H
#define LIM_BASE_HDF5_HDF5_CALLS_H

#include "base/library/library.h"

#include <hdf5.h>

// clang-format off
#define LIM_HDF5_VARIABLES(X)                                                                                 \
  X(H5P_CLS_DATASET_CREATE_ID_g) X(H5P_CLS_FILE_ACCESS_ID_g) X(H5P_CLS_GROUP_CREATE_ID_g) X(H5T_C_S1_g)       \
  X(H5T_NATIVE_DOUBLE_g) X(H5T_NATIVE_FLOAT_g) X(H5T_NATIVE_INT_g)
#define LIM_HDF5_CALLS(X)                                                                                     \
  X(H5Aclose) X(H5Acreate2) X(H5Aexists) X(H5Aget_space) X(H5Aget_type) X(H5Aopen) X(H5Aopen_by_name)         \
  X(H5Aread) X(H5Awrite) X(H5Dclose) X(H5Dcreate2) X(H5Dget_chunk_info_by_coord) X(H5Dget_create_plist)       \
  X(H5Dget_space) X(H5Dget_storage_size) X(H5Dget_type) X(H5Dopen2) X(H5Dread) X(H5Dset_extent) X(H5Dwrite)   \
  X(H5Eauto_is_v2) X(H5Eget_auto1) X(H5Eget_auto2) X(H5Eset_auto1) X(H5Eset_auto2) X(H5Fclose) X(H5Fcreate)   \
  X(H5Fflush) X(H5Fget_vfd_handle) X(H5Fopen) X(H5Fstart_swmr_write) X(H5Gclose) X(H5Gcreate2)                \
  X(H5Gget_create_plist) X(H5Gget_info) X(H5Gopen2) X(H5Lexists) X(H5Lget_name_by_idx) X(H5Pclose)            \
  X(H5Pcreate) X(H5Pget_chunk) X(H5Pget_layout) X(H5Pget_link_creation_order) X(H5Pset_chunk)                 \
  X(H5Pset_deflate) X(H5Pset_libver_bounds) X(H5Pset_link_creation_order) X(H5Pset_metadata_read_attempts)    \
  X(H5Pset_shuffle) X(H5Sclose) X(H5Screate) X(H5Screate_simple) X(H5Sget_simple_extent_dims)                 \
  X(H5Sget_simple_extent_ndims) X(H5Sget_simple_extent_npoints) X(H5Sselect_hyperslab) X(H5Tclose)            \
  X(H5Tcopy) X(H5Tget_class) X(H5Tget_size) X(H5Tis_variable_str) X(H5Tset_cset) X(H5Tset_size)               \
  X(H5Tset_strpad) X(H5check_version) X(H5dont_atexit) X(H5open)                                              \
  LIM_HDF5_VARIABLES(X)
// clang-format on

typedef struct {
  LIM_HDF5_CALLS(LIM_LIBRARY_POINTER)
} lim_hdf5_calls;

extern lim_hdf5_calls lim_hdf5;

// Before anything else of HDF5. LIM_IO: it is not on this machine.
lim_code lim_hdf5_load(lim_error *err);

#define H5Aclose                      (*lim_hdf5.H5Aclose)
#define H5Acreate2                    (*lim_hdf5.H5Acreate2)
#define H5Aexists                     (*lim_hdf5.H5Aexists)
#define H5Aget_space                  (*lim_hdf5.H5Aget_space)
#define H5Aget_type                   (*lim_hdf5.H5Aget_type)
#define H5Aopen                       (*lim_hdf5.H5Aopen)
#define H5Aopen_by_name               (*lim_hdf5.H5Aopen_by_name)
#define H5Aread                       (*lim_hdf5.H5Aread)
#define H5Awrite                      (*lim_hdf5.H5Awrite)
#define H5Dclose                      (*lim_hdf5.H5Dclose)
#define H5Dcreate2                    (*lim_hdf5.H5Dcreate2)
#define H5Dget_chunk_info_by_coord    (*lim_hdf5.H5Dget_chunk_info_by_coord)
#define H5Dget_create_plist           (*lim_hdf5.H5Dget_create_plist)
#define H5Dget_space                  (*lim_hdf5.H5Dget_space)
#define H5Dget_storage_size           (*lim_hdf5.H5Dget_storage_size)
#define H5Dget_type                   (*lim_hdf5.H5Dget_type)
#define H5Dopen2                      (*lim_hdf5.H5Dopen2)
#define H5Dread                       (*lim_hdf5.H5Dread)
#define H5Dset_extent                 (*lim_hdf5.H5Dset_extent)
#define H5Dwrite                      (*lim_hdf5.H5Dwrite)
#define H5Eauto_is_v2                 (*lim_hdf5.H5Eauto_is_v2)
#define H5Eget_auto1                  (*lim_hdf5.H5Eget_auto1)
#define H5Eget_auto2                  (*lim_hdf5.H5Eget_auto2)
#define H5Eset_auto1                  (*lim_hdf5.H5Eset_auto1)
#define H5Eset_auto2                  (*lim_hdf5.H5Eset_auto2)
#define H5Fclose                      (*lim_hdf5.H5Fclose)
#define H5Fcreate                     (*lim_hdf5.H5Fcreate)
#define H5Fflush                      (*lim_hdf5.H5Fflush)
#define H5Fget_vfd_handle             (*lim_hdf5.H5Fget_vfd_handle)
#define H5Fopen                       (*lim_hdf5.H5Fopen)
#define H5Fstart_swmr_write           (*lim_hdf5.H5Fstart_swmr_write)
#define H5Gclose                      (*lim_hdf5.H5Gclose)
#define H5Gcreate2                    (*lim_hdf5.H5Gcreate2)
#define H5Gget_create_plist           (*lim_hdf5.H5Gget_create_plist)
#define H5Gget_info                   (*lim_hdf5.H5Gget_info)
#define H5Gopen2                      (*lim_hdf5.H5Gopen2)
#define H5Lexists                     (*lim_hdf5.H5Lexists)
#define H5Lget_name_by_idx            (*lim_hdf5.H5Lget_name_by_idx)
#define H5P_CLS_DATASET_CREATE_ID_g   (*lim_hdf5.H5P_CLS_DATASET_CREATE_ID_g)
#define H5P_CLS_FILE_ACCESS_ID_g      (*lim_hdf5.H5P_CLS_FILE_ACCESS_ID_g)
#define H5P_CLS_GROUP_CREATE_ID_g     (*lim_hdf5.H5P_CLS_GROUP_CREATE_ID_g)
#define H5Pclose                      (*lim_hdf5.H5Pclose)
#define H5Pcreate                     (*lim_hdf5.H5Pcreate)
#define H5Pget_chunk                  (*lim_hdf5.H5Pget_chunk)
#define H5Pget_layout                 (*lim_hdf5.H5Pget_layout)
#define H5Pget_link_creation_order    (*lim_hdf5.H5Pget_link_creation_order)
#define H5Pset_chunk                  (*lim_hdf5.H5Pset_chunk)
#define H5Pset_deflate                (*lim_hdf5.H5Pset_deflate)
#define H5Pset_libver_bounds          (*lim_hdf5.H5Pset_libver_bounds)
#define H5Pset_link_creation_order    (*lim_hdf5.H5Pset_link_creation_order)
#define H5Pset_metadata_read_attempts (*lim_hdf5.H5Pset_metadata_read_attempts)
#define H5Pset_shuffle                (*lim_hdf5.H5Pset_shuffle)
#define H5Sclose                      (*lim_hdf5.H5Sclose)
#define H5Screate                     (*lim_hdf5.H5Screate)
#define H5Screate_simple              (*lim_hdf5.H5Screate_simple)
#define H5Sget_simple_extent_dims     (*lim_hdf5.H5Sget_simple_extent_dims)
#define H5Sget_simple_extent_ndims    (*lim_hdf5.H5Sget_simple_extent_ndims)
#define H5Sget_simple_extent_npoints  (*lim_hdf5.H5Sget_simple_extent_npoints)
#define H5Sselect_hyperslab           (*lim_hdf5.H5Sselect_hyperslab)
#define H5T_C_S1_g                    (*lim_hdf5.H5T_C_S1_g)
#define H5T_NATIVE_DOUBLE_g           (*lim_hdf5.H5T_NATIVE_DOUBLE_g)
#define H5T_NATIVE_FLOAT_g            (*lim_hdf5.H5T_NATIVE_FLOAT_g)
#define H5T_NATIVE_INT_g              (*lim_hdf5.H5T_NATIVE_INT_g)
#define H5Tclose                      (*lim_hdf5.H5Tclose)
#define H5Tcopy                       (*lim_hdf5.H5Tcopy)
#define H5Tget_class                  (*lim_hdf5.H5Tget_class)
#define H5Tget_size                   (*lim_hdf5.H5Tget_size)
#define H5Tis_variable_str            (*lim_hdf5.H5Tis_variable_str)
#define H5Tset_cset                   (*lim_hdf5.H5Tset_cset)
#define H5Tset_size                   (*lim_hdf5.H5Tset_size)
#define H5Tset_strpad                 (*lim_hdf5.H5Tset_strpad)
#define H5check_version               (*lim_hdf5.H5check_version)
#define H5dont_atexit                 (*lim_hdf5.H5dont_atexit)
#define H5open                        (*lim_hdf5.H5open)

#endif
