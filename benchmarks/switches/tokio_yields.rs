// Tokio: tasks that take turns, with one thread and without I/O.
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tokio::task::yield_now;

static OVER: AtomicBool = AtomicBool::new(false);

fn resident_bytes() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<f64>().unwrap() * 4096.0
}

fn processor_time() -> f64 {
    let mut used = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut used) };
    1e9 * used.tv_sec as f64 + used.tv_nsec as f64
}

async fn yields() -> usize {
    let mut turns = 0;
    while !OVER.load(Relaxed) {
        yield_now().await;
        turns += 1;
    }
    turns
}

/// One task is this one: between two turns of its own, each has had one.
async fn measure(tasks: usize, switches: usize) -> String {
    OVER.store(false, Relaxed);
    let before = resident_bytes();
    let others: Vec<_> = (1..tasks).map(|_| tokio::spawn(yields())).collect();
    yield_now().await;
    let bytes = (resident_bytes() - before) / tasks as f64;

    let rounds = (switches / tasks).max(2);
    let start = processor_time();
    for _ in 0..rounds {
        yield_now().await;
    }
    let time = (processor_time() - start) / (rounds * tasks) as f64;
    OVER.store(true, Relaxed);
    let mut turns = 0;
    for other in others {
        turns += other.await.unwrap();
    }
    assert!(
        turns >= rounds * (tasks - 1),
        "the tasks did not have their turns"
    );
    let memory = if tasks >= 100_000 {
        format!(r#", "bytes_a_task": {bytes}"#)
    } else {
        String::new()
    };
    format!(r#"{{"name": "yield/{tasks}", "cpu_time": {time}, "time_unit": "ns"{memory}}}"#)
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let run = |tasks, switches| {
        runtime.block_on(async move { tokio::spawn(measure(tasks, switches)).await.unwrap() })
    };
    if let Ok(switches) = std::env::var("COUNT") {
        run(1000, switches.parse().unwrap()); // for count.sh
        return;
    }
    let results = [2, 1000, 100_000].map(|tasks| run(tasks, 1_000_000));
    println!(r#"{{"benchmarks": [{}]}}"#, results.join(", "));
}
