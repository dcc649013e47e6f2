# libuv, as the target `uv`: other systems have a CMake package of it, Debian has pkg-config's.
include_guard()

find_package(libuv CONFIG QUIET GLOBAL)
if(TARGET libuv::uv)
  set(LIBUV libuv::uv)
else()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(LIBUV REQUIRED IMPORTED_TARGET GLOBAL libuv>=1.44)
  set(LIBUV PkgConfig::LIBUV)
endif()
add_library(uv INTERFACE)
target_link_libraries(uv INTERFACE ${LIBUV})
