#pragma once

/// The version of the library: 10000 times the major number, 100 times the minor number, and the
/// patch number. 900 is 0.9.0. CMakeLists.txt reads it here.
#define COOP_VERSION 900
