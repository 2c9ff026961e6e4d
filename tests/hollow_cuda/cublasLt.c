// cuBLASLt, hollow: there is a method for every product.
#include <stddef.h>
#include <string.h>

struct Found {
  unsigned long long method[8];
  size_t workspace;
  int status;
  float waves;
  int reserved[4];
};
int cublasLtMatmulAlgoGetHeuristic(void* a, void* b, void* c, void* d, void* e, void* f, void* g, int most,
                                   struct Found* found, int* count) {
  memset(found, 0, sizeof *found);
  return *count = 1, 0;
}

// As its manual has it: a workspace begins at a multiple of 256 bytes.
int cublasLtMatmul(void* a, void* b, void* c, void* d, void* e, void* f, void* g, void* h, void* i, void* j, void* k,
                   void* l, void* m, char* workspace, size_t bytes, void* stream) {
  return bytes > 0 && (size_t)workspace % 256 != 0 ? 7 : 0;
}
