#include "CFuzzer.h"

// Of libFuzzer, which is linked only where Tests/Faults/run asks for it.
__attribute__((weak)) int LLVMFuzzerRunDriver(int *argc, char ***argv,
                                              int (*tryInput)(const uint8_t *, size_t));

int herald_fuzz(int argc, char **argv, int (*tryInput)(const uint8_t *, size_t)) {
  if (!LLVMFuzzerRunDriver) return -1;
  return LLVMFuzzerRunDriver(&argc, &argv, tryInput);
}
