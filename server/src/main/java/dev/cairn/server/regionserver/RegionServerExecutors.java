package dev.cairn.server.regionserver;

import dev.cairn.server.regionserver.assignment.Openings;
import dev.cairn.server.regionserver.hooked.HookedWork;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The threads of a region server. Each executor has one purpose, so tasks that hang hold up only
 * tasks of their own kind. All outlive the server.
 *
 * @param openings opens regions and reports that they are open
 * @param closings closes regions and reports that they are closed
 * @param reports reports lost regions and split logs to the master
 * @param chores runs periodic tasks, each of them once at a time; always has a free thread
 * @param splits decides on splits for load and asks the master for splits; one thread is enough
 * @param flushes flushes memstores
 * @param smallCompactions runs small compactions
 * @param largeCompactions runs large compactions
 * @param walSplits splits logs of dead servers; its number of threads limits how many at a time
 * @param hooked does the same work as the others for regions with hooks
 * @param ending stops and aborts the server, each on a new thread
 * @param timer starts periodic tasks; never blocked
 */
public record RegionServerExecutors(
    Openings openings,
    Executor closings,
    Executor reports,
    Executor chores,
    Executor splits,
    Executor flushes,
    Executor smallCompactions,
    Executor largeCompactions,
    Executor walSplits,
    HookedWork hooked,
    Executor ending,
    ScheduledExecutorService timer) {}
