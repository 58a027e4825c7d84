// words.c - the words of the model file for its choices, out of the schema.
#include "model/words.h"

#include <stdio.h>
#include <string.h>

const lim_key *lim_key_at(const char *path) {
  const lim_table *table = &lim_root_table;
  const lim_key *key = NULL;
  for (size_t n; *path; path += n + (path[n] == '.')) {
    char name[LIM_WORD];
    n = strcspn(path, ".");
    snprintf(name, sizeof name, "%.*s", (int)n, path);
    key = table ? lim_table_key(table, name, NULL) : NULL;
    table = key ? key->table : NULL;
  }
  return key;
}

const char *lim_word_at(char buffer[LIM_WORD], const char *path, int i) {
  const lim_key *key = lim_key_at(path);
  const lim_word word = key ? lim_key_word(key, i) : (lim_word){0};
  snprintf(buffer, LIM_WORD, "%.*s", word.length, word.text ? word.text : "");
  return buffer;
}
