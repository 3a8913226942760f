// RIGOR_API: symbols that a shared build exports.
#pragma once

/// Marks what is defined in a library and used outside of it: functions, and classes with members
/// that are defined in a .cpp file or that are thrown. A static build does not need it. A few
/// private functions have it at their definition: the library of scene files uses them.
#if defined(__GNUC__)
#define RIGOR_API __attribute__((visibility("default")))
#else
#define RIGOR_API
#endif
