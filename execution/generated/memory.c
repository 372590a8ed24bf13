// The list of what a call has allocated, for the error on whose way all of it is freed.

#include <stddef.h>
#include <stdlib.h>

// Before what is allocated: the next one, and where the pointer to this one is.
typedef struct Node {
  struct Node *next, **link;
} Node;

__attribute__((malloc, noinline)) void *__gs_alloc(Node **head, size_t size) {
  Node *node = malloc(size + sizeof *node);
  if (node == NULL)
    return NULL;
  node->next = *head;
  node->link = head;
  *head = node;
  if (node->next != NULL)
    node->next->link = &node->next;
  return node + 1;
}

__attribute__((noinline)) void __gs_free(void *memory) {
  if (memory == NULL)
    return;
  Node *node = (Node *)memory - 1;
  *node->link = node->next;
  if (node->next != NULL)
    node->next->link = node->link;
  free(node);
}

__attribute__((noinline, cold)) void __gs_free_all(Node **head) {
  for (Node *node = *head, *next; node != NULL; node = next) {
    next = node->next;
    free(node);
  }
}
