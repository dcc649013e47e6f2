#pragma once

#include <cstdlib>
#include <ios>
#include <iostream>
#include <sstream>
#include <string>

namespace recorder {

/// Where a body stops: the latest one that was passed. `text` is the part of that line which says
/// what for.
struct Place {
  std::string line, text, function;
};
inline Place place;

inline void at(const char* line, const char* text, const char* function) {
  place = {line, text, function};
}

/// The turns so far, in the format that tools/trace/trace describes. It takes what goes to
/// std::cout, and writes there itself. Of a long run it writes the beginning, and ends the program
/// then.
class Recording {
 public:
  static constexpr int longest = 40;  // turns

  Recording() : screen_(std::cout.rdbuf(printed_.rdbuf())) {}
  Recording(const Recording&) = delete;
  ~Recording() {
    if (!id_.empty()) end_task_turn(id_, "");
    task_runs = false;
    main_printed();
    std::cout.rdbuf(screen_);
  }

  bool task_runs = false;

  /// A body has stopped; in a turn with calls that happens more than once.
  void stop(const std::string& what) {
    write_last("returns");
    write_printed();
    line_ = place.line.empty() ? "-" : place.line;
    what_ = what;
  }

  void end_turn(const std::string& who, const std::string& ready = "") {
    std::ostream screen(screen_);
    if (turns_ == longest) {
      screen << "and so on" << std::endl;
      std::_Exit(0);
    }
    write_last("ends");
    write_printed();
    if (turns_ > 0 || who != "main") ++turns_;  // what main prints before the first turn is turn 0
    screen << "turn " << turns_ << "\nwho " << who << '\n' << facts_ << ready << std::endl;
    facts_.clear();
  }

  /// A task that asked for something and is not ready waits for it. One of which no body ran has
  /// ended before, and leaves the queue now.
  void end_task_turn(const std::string& id, const std::string& ready) {
    if (what_.empty()) stop("leaves the queue");
    const bool is_ready = (ready + ' ').find(' ' + id + ' ') != std::string::npos ||
                          ready.find('(' + id + ')') != std::string::npos;
    if (what_.rfind("asks", 0) == 0 && !is_ready) what_ += " and waits";
    end_turn("task " + id, "ready" + ready + '\n');
  }

  /// Ends the turn before this one, which has left the queue like that.
  void begin_task_turn(const std::string& id, const std::string& ready) {
    if (task_runs) end_task_turn(id_, ready);
    task_runs = false;
    begin_task_turn();
    id_ = id;
  }

  void begin_task_turn() {
    main_printed();
    task_runs = true;
  }

  /// What has been printed outside of any body.
  void main_printed() {
    if (!printed_.str().empty()) end_turn("main");
  }

 private:
  std::ios_base::Init first_;  // std::cout is created before this
  std::ostringstream printed_;
  std::streambuf* screen_;
  int turns_ = 0;
  std::string id_, facts_, line_, what_;

  void write_printed() {
    std::istringstream lines(printed_.str());
    for (std::string line; std::getline(lines, line);) facts_ += "out " + line + '\n';
    printed_.str("");
  }

  void write_last(const std::string& end) {
    if (what_.empty()) return;
    facts_ += "stop " + line_ + ' ' + (what_ == "ends" ? end : what_) + '\n';
    what_.clear();
  }
};
inline Recording recording;

}  // namespace recorder
