// Go: goroutines that take turns. There is one thread for them, so they share variables without a lock.
package main

import (
	"encoding/json"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

var over bool
var turns int

func residentBytes() float64 {
	statm, _ := os.ReadFile("/proc/self/statm")
	pages, _ := strconv.ParseFloat(strings.Fields(string(statm))[1], 64)
	return pages * float64(os.Getpagesize())
}

func processorTime() float64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return float64(used.Utime.Nano() + used.Stime.Nano())
}

func yields(group *sync.WaitGroup) {
	for !over {
		turns++
		runtime.Gosched()
	}
	group.Done()
}

// One goroutine is this one. The turns of all are counted, because Go doesn't promise their order.
func measure(tasks int) map[string]any {
	var group sync.WaitGroup
	group.Add(tasks - 1)
	over = false
	before := residentBytes()
	for i := 1; i < tasks; i++ {
		go yields(&group)
	}
	for turns = 0; turns < tasks; turns++ {
		runtime.Gosched()
	}
	bytes := (residentBytes() - before) / float64(tasks)

	start := processorTime()
	for turns = 0; turns < 1_000_000; turns++ {
		runtime.Gosched()
	}
	used := processorTime() - start
	over = true
	result := map[string]any{
		"name": "yield/" + strconv.Itoa(tasks), "cpu_time": used / float64(turns), "time_unit": "ns",
	}
	if tasks >= 100_000 {
		result["bytes_a_task"] = bytes
	}
	group.Wait()
	return result
}

func main() {
	runtime.GOMAXPROCS(1)
	results := []any{measure(2), measure(1000), measure(100_000)}
	json.NewEncoder(os.Stdout).Encode(map[string]any{"benchmarks": results})
}
