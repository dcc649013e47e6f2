#pragma once

// All headers of the library that a program includes. run.hpp alone is compiled faster.

#include "channel.hpp"
#include "for_each.hpp"
#include "mutex.hpp"
#include "protect.hpp"
#include "run.hpp"
#include "uv/command.hpp"
#include "uv/file.hpp"
#include "uv/listener.hpp"
#include "uv/poll.hpp"
#include "uv/signal.hpp"
#include "uv/thread.hpp"
#include "uv/udp.hpp"
#include "uv/watch.hpp"
