#pragma once
#include <stddef.h>
#include <stdint.h>

/// Calls `tryInput` with one input after the other, according to libFuzzer's arguments, and returns
/// libFuzzer's status; -1 if the program was built without libFuzzer.
int herald_fuzz(int argc, char **argv, int (*tryInput)(const uint8_t *, size_t));
