package dev.cairn.server.master.service;

import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.members.ServerManager.Recovery;
import dev.cairn.server.master.procedure.ProcedureRecord;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerTask;

/**
 * Describes what the master works on as HBase's tasks: recoveries of dead servers, and procedures.
 * Called by the loop's owner.
 */
final class MasterTasks {
  private MasterTasks() {}

  /** Returns the tasks that are under way. */
  static List<ServerTask> of(ActiveMaster master) {
    List<ServerTask> tasks = new ArrayList<>();
    for (Recovery recovery : master.members().recoveries()) {
      tasks.add(
          task(
              "Recovering the log of " + recovery.server(),
              master
                  .members()
                  .lastFailure(recovery.server())
                  .map(failure -> "Trying again after " + failure)
                  .orElseGet(() -> master.members().status(recovery.server())),
              recovery.sinceMillis()));
    }
    for (ProcedureRecord record : master.procedures().unfinished()) {
      tasks.add(
          task(
              record.kind().simpleName() + " " + record.id(),
              record.step() + " steps are done",
              record.submittedMillis()));
    }
    return tasks;
  }

  private static ServerTask task(String description, String status, long sinceMillis) {
    return ServerTask.newBuilder()
        .setDescription(description)
        .setStatus(status)
        .setState(ServerTask.State.RUNNING)
        .setStartTime(sinceMillis)
        .build();
  }
}
