// cuBLAS, hollow.
#include <stddef.h>

static int handle;
int cublasCreate_v2(void** made) { return *made = &handle, 0; }
int cublasGetMathMode(void* of, int* mode) { return *mode = 0, 0; }
int cublasGetPointerMode_v2(void* of, int* mode) { return *mode = 0, 0; }
int cublasSetWorkspace_v2(void* of, char* workspace, size_t bytes) { return (size_t)workspace % 256 ? 7 : 0; }
