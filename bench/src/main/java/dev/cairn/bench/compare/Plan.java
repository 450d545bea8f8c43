package dev.cairn.bench.compare;

import dev.cairn.bench.load.LoadPlan;
import dev.cairn.bench.load.Workload;
import java.nio.file.Path;
import java.util.List;

/**
 * The plan of a comparison.
 *
 * @param workloads in their order
 * @param load plan that all workloads share
 * @param server settings that all sides share
 * @param rounds number of rounds, each on new servers with empty folders
 * @param turns number of turns of each side in a round, at a workload with a time limit
 * @param warmUpSeconds run time of each workload before the measurement
 * @param seconds duration of a turn's measurement at full speed
 * @param fixedSeconds duration of a turn's measurement at a fixed rate; 0: none
 * @param fixedShare fixed rate, as a share of the slowest side's rate in the first round
 * @param disturbed true to flush and compact the table during the measurement at a fixed rate
 * @param clientHeap of the processes that drive the load
 * @param folder folder of the servers' files
 * @param keep true to keep these files
 */
record Plan(
    List<Workload> workloads,
    LoadPlan load,
    ServerSettings server,
    int rounds,
    int turns,
    double warmUpSeconds,
    double seconds,
    double fixedSeconds,
    double fixedShare,
    boolean disturbed,
    String clientHeap,
    Path folder,
    boolean keep) {
  Plan {
    workloads = List.copyOf(workloads);
  }
}
