// deck.h - an input deck of CalculiX or Abaqus as it is read: everything by ids and names. lim_fe_deck_build
// makes nodes, sets and elements of a mesh of it.
#ifndef LIM_FE_READ_DECK_H
#define LIM_FE_READ_DECK_H

#include "fe/mesh.h"
#include "fe/read/lines.h"

// Where something stands.
typedef struct {
  const char *file; // lives as long as the arena
  int line;
} lim_deck_place;

typedef struct {
  int id, order; // order: how many were read before
  lim_deck_place at;
  double x[3]; // as in the file
} lim_fe_deck_node;

typedef struct {
  int id;
  lim_fe_shape shape;
  int first; // of its nodes in lim_fe_deck.element_node
  lim_deck_place at;
} lim_fe_deck_element;

// Ids first, first + step, ... of at most `last`.
typedef struct {
  int first, last, step;
  bool generated; // of GENERATE: not all of them need be there
  lim_deck_place at;
} lim_fe_range;

// A set of nodes or of elements.
typedef struct {
  const char *name;
  lim_deck_place at;
  size_t count, capacity;
  lim_fe_range *range; // heap
} lim_fe_group;

typedef struct {
  size_t count, capacity;
  lim_fe_group *group; // heap
} lim_fe_groups;

typedef struct {
  const char *set, *material; // NULL: it says none
  double thickness;           // NaN: it says none
  lim_deck_place at;
} lim_fe_section;

// Elements of a type that is not known.
typedef struct {
  const char *type;
  long count;
} lim_fe_skipped;

typedef struct {
  lim_arena *arena; // of names and materials
  lim_error *err;
  size_t nnode, nelement, nelement_node, nmaterial, nsection, nskipped;
  size_t node_room, element_room, element_node_room, material_room, section_room, skipped_room;
  lim_fe_deck_node *node; // this and all below: heap
  lim_fe_deck_element *element;
  int *element_node; // ids
  lim_fe_material *material;
  lim_fe_section *section;
  lim_fe_skipped *skipped;
  lim_fe_groups nsets, elsets;
} lim_fe_deck;

void lim_fe_deck_free(lim_fe_deck *d);

// Nodes of a file: an input deck, if the first line that says something begins with a star, else a CSV.
lim_code lim_fe_deck_read(lim_fe_deck *d, const char *path, const lim_hooks *hooks);

// One more node; false: memory is out, l->code tells.
bool lim_fe_deck_add_node(lim_fe_deck *d, lim_lines *l, int id, const double x[3]);

// Nodes, sets, elements and materials of the mesh, in SI.
lim_code lim_fe_deck_build(lim_fe_mesh *out, lim_fe_deck *d, double length, double mass_unit);

// --- sets ---

// The set of a name, upper and lower case alike; -1: there is none.
int lim_fe_group_find(const lim_fe_groups *g, const char *name);

// The same, made where there is none; -1: memory is out.
int lim_fe_group_make(lim_fe_groups *g, lim_arena *arena, const char *name, lim_deck_place at);

// Add ids; those of another set. False: memory is out.
bool lim_fe_group_add(lim_fe_group *g, lim_fe_range range);
bool lim_fe_group_join(lim_fe_group *g, const lim_fe_group *other);

void lim_fe_groups_free(lim_fe_groups *g);

// --- keywords: lines that begin with a star ---

enum { LIM_FE_KEYWORD = 2048, LIM_FE_NAME = 200 };

typedef struct {
  char text[LIM_FE_KEYWORD]; // with the lines that continue it
} lim_fe_keyword;

// The word itself in capitals without blanks: "SOLIDSECTION".
void lim_fe_keyword_word(char out[LIM_FE_NAME], const lim_fe_keyword *k);

// Whether it has an option, and what follows its "=", "" where nothing does. out may be NULL.
bool lim_fe_keyword_option(char out[LIM_FE_NAME], const lim_fe_keyword *k, const char *name);

// What a deck is read with.
typedef struct lim_fe_card lim_fe_card;
typedef struct {
  lim_fe_deck *deck;
  const lim_fe_card *card; // the keyword whose data lines follow; NULL: one that says nothing here
  lim_fe_keyword keyword;
  int group;     // of sets that data lines add to; -1: none
  int shape;     // of elements; -1: not known
  int left;      // nodes that the last element still needs
  int row;       // data lines of the card so far
  bool generate; // sets by first, last, step
  bool continued;
  size_t skipped; // type of elements that are not known
  size_t section; // the one at hand
  int parts, instances;
} lim_fe_deck_reader;

// A keyword that is understood: what it means itself, and each of its data lines. Either may be NULL.
struct lim_fe_card {
  const char *word;
  void (*begin)(lim_fe_deck_reader *r, lim_lines *l);
  void (*data)(lim_fe_deck_reader *r, lim_lines *l);
};

// The card of a word; NULL: there is none.
const lim_fe_card *lim_fe_card_find(const char *word);

// Ends the data lines of a card.
void lim_fe_card_end(lim_fe_deck_reader *r, lim_lines *l);

#endif
