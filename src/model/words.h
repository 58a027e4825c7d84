// words.h - the words of the model file for its choices, out of the schema.
#ifndef LIM_MODEL_WORDS_H
#define LIM_MODEL_WORDS_H

#include "model/schema.h"

enum { LIM_WORD = 64 };

// The key at a path of keys such as "links.basis.type"; NULL: there is none.
const lim_key *lim_key_at(const char *path);

// Word number i of the key at a path, into `buffer`, which is returned; empty where there is none.
const char *lim_word_at(char buffer[LIM_WORD], const char *path, int i);

#endif
