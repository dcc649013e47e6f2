#pragma once

/// Counts its objects.
class Living {
 public:
  Living() { ++count; }
  Living(const Living&) : Living() {}
  Living& operator=(const Living&) = default;
  ~Living() { --count; }

  static inline int count = 0;
};
