#pragma once

/// xrange without a generator: the five methods that PHP asks of an iterator, each holding a
/// piece of what was one loop. For comparison with Xrange; counts upwards only.
///
/// Article: "Generators", the last paragraph.
class XrangeByHand {
 public:
  XrangeByHand(int start, int end) : start_(start), end_(end) {}

  void rewind() {
    i_ = start_;
    key_ = 0;
  }
  bool valid() const { return i_ <= end_; }
  long long current() const { return i_; }
  long long key() const { return key_; }
  void next() {
    ++i_;
    ++key_;
  }

 private:
  int start_, end_;
  long long i_ = start_;
  long long key_ = 0;
};
