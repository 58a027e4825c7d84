// grow.h - arrays that grow by doubling.
#ifndef LIM_BASE_GROW_H
#define LIM_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>

// Make room for `need` items of `size` bytes in an array that has room for *capacity of them; it starts as NULL
// with 0 and is freed by free(). `array` is the address of the pointer to it. False: memory is out, or so many
// items have no size; then the array and its capacity are as before.
bool lim_grow(void *array, size_t *capacity, size_t need, size_t size);

// One more item in an array of `count` ones.
#define LIM_GROW(array, capacity, count)                                                                       \
  lim_grow((void *)&(array), &(capacity), (size_t)(count) + 1, sizeof *(array))

// The two steps of it, for several arrays with one capacity, which is kept once all of them have grown: the
// capacity that has room for need items (0: there is none), and an array of that many.
size_t lim_grow_capacity(size_t capacity, size_t need);
bool lim_grow_to(void *array, size_t capacity, size_t size);

#endif
