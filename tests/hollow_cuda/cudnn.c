// cuDNN, hollow: convolutions and batch norms ask for workspaces of a few sizes.
#include <stdlib.h>
#include <string.h>

static int handle;
int cudnnCreate(void** made) { return *made = &handle, 0; }
size_t cudnnGetVersion(void) { return 92600; }
size_t cudnnGetCudartVersion(void) { return 13020; }
const char* cudnnGetErrorString(int error) { return "hollow"; }

int cudnnCreateTensorDescriptor(void** made) { return *made = malloc(64), 0; }
int cudnnCreateFilterDescriptor(void** made) { return *made = malloc(64), 0; }
int cudnnCreateConvolutionDescriptor(void** made) { return *made = malloc(64), 0; }
int cudnnCreateActivationDescriptor(void** made) { return *made = malloc(64), 0; }
int cudnnDestroyTensorDescriptor(void* made) { return free(made), 0; }
int cudnnDestroyFilterDescriptor(void* made) { return free(made), 0; }
int cudnnDestroyConvolutionDescriptor(void* made) { return free(made), 0; }
int cudnnDestroyActivationDescriptor(void* made) { return free(made), 0; }

struct Found {
  int method, status;
  float milliseconds;
  size_t workspace;
  int deterministic, mathematics, reserved[3];
};
static int find_one(int* count, struct Found* found) {
  memset(found, 0, sizeof *found);
  found->method = 1;
  found->workspace = 3 << 20;
  found->deterministic = 1;
  return *count = 1, 0;
}
int cudnnGetConvolutionForwardAlgorithm_v7(void* a, void* b, void* c, void* d, void* e, int most, int* count,
                                           struct Found* found) {
  return find_one(count, found);
}
int cudnnGetConvolutionBackwardDataAlgorithm_v7(void* a, void* b, void* c, void* d, void* e, int most, int* count,
                                                struct Found* found) {
  return find_one(count, found);
}
int cudnnGetConvolutionBackwardFilterAlgorithm_v7(void* a, void* b, void* c, void* d, void* e, int most, int* count,
                                                  struct Found* found) {
  return find_one(count, found);
}
int cudnnGetConvolutionForwardWorkspaceSize(void* a, void* b, void* c, void* d, void* e, int method, size_t* bytes) {
  return *bytes = 1 << 20, 0;
}
int cudnnGetConvolutionBackwardDataWorkspaceSize(void* a, void* b, void* c, void* d, void* e, int method,
                                                 size_t* bytes) {
  return *bytes = 2 << 20, 0;
}
int cudnnGetConvolutionBackwardFilterWorkspaceSize(void* a, void* b, void* c, void* d, void* e, int method,
                                                   size_t* bytes) {
  return *bytes = 2 << 20, 0;
}
int cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(void* a, int mode, int fused, void* x, void* z, void* y,
                                                             void* b, void* activation, size_t* bytes) {
  return *bytes = 4096, 0;
}
int cudnnGetBatchNormalizationBackwardExWorkspaceSize(void* a, int mode, int fused, void* x, void* y, void* dy, void* dz,
                                                      void* dx, void* d, void* activation, size_t* bytes) {
  return *bytes = 4096, 0;
}
int cudnnGetBatchNormalizationTrainingExReserveSpaceSize(void* a, int mode, int fused, void* activation, void* x,
                                                         size_t* bytes) {
  return *bytes = 0, 0;
}
