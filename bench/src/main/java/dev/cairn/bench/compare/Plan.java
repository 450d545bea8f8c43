package dev.cairn.bench.compare;

import dev.cairn.bench.load.LoadPlan;
import dev.cairn.bench.load.Workload;
import java.nio.file.Path;
import java.util.List;

/**
 * What a comparison does.
 *
 * @param workloads in their order
 * @param load what they have in common
 * @param server what the sides have in common
 * @param rounds how often all is done, each time on new servers with empty folders
 * @param turns how often in a round the sides take turns at a workload that goes by time
 * @param warmUpSeconds how long each workload runs before it is measured
 * @param seconds how long it is measured in a turn, as fast as it goes
 * @param fixedSeconds how long it is measured in a turn at a fixed rate; 0: not at all
 * @param fixedShare the fixed rate, as a share of what the slowest side reached in the first round
 * @param disturbed whether the table is flushed and compacted while it is measured at a fixed rate
 * @param clientHeap of the processes that drive the load
 * @param folder where servers keep their files
 * @param keep whether they stay there
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
