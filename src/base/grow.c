// grow.c - arrays that grow by doubling.
#include "base/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 16 }; // items

size_t lim_grow_capacity(size_t capacity, size_t need) {
  if (need <= capacity) return capacity;
  if (need > SIZE_MAX / 2) return 0;
  size_t room = capacity > FIRST ? capacity : FIRST;
  while (room < need) room *= 2;
  return room;
}

// Pointers to objects of any type are alike: read and written as bytes.
bool lim_grow_to(void *array, size_t capacity, size_t size) {
  void *old, *more;
  if (capacity == 0 || (size && capacity > SIZE_MAX / 2 / size)) return false;
  memcpy(&old, array, sizeof old);
  more = realloc(old, size ? capacity * size : 1);
  if (more) memcpy(array, &more, sizeof more);
  return more != NULL;
}

bool lim_grow(void *array, size_t *capacity, size_t need, size_t size) {
  if (need <= *capacity) return true;
  const size_t more = lim_grow_capacity(*capacity, need);
  if (!lim_grow_to(array, more, size)) return false;
  *capacity = more;
  return true;
}
