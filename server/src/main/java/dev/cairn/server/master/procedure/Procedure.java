package dev.cairn.server.master.procedure;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * A change that takes several steps. {@link ProcedureExecutor} runs them in order, and stores that
 * they are done; after a kill the step under way is begun again, so every step may be done twice.
 * All methods are called by the loop's owner and must not wait.
 */
public interface Procedure {
  /** Returns the kind of the procedure. */
  ProcedureKind kind();

  /** Returns its stored input; final once {@link #prepare} has returned. */
  Message data();

  /**
   * Returns the resource that it changes: a table or a namespace. Procedures on the same resource
   * run one after the other, unless they lock different {@link #lockedRegions} of a table.
   */
  String resource();

  /**
   * Returns the regions of the table that it changes; empty if it changes the whole resource.
   * Procedures with locked regions run at the same time if their regions do not overlap. {@link
   * #prepare} may add regions that replace others and have the same rows.
   */
  default List<RegionInfo> lockedRegions() {
    return List.of();
  }

  /**
   * Checks whether the procedure may wait for others that change the same resource. Called once, in
   * the moment of the request, before {@link #prepare}; not called for a repeated request, which
   * gets the answer of the first one.
   *
   * @throws IOException for the client, if it may not
   */
  default void admit() throws IOException {}

  /**
   * Checks whether it can be done, before anything is stored. Not called again after a restart.
   *
   * @throws FailedProcedureException if it cannot, but the request is accepted and this failure
   *     becomes the result of the procedure; {@link #data} must be known by then
   * @throws IOException for the client, if it cannot
   */
  void prepare() throws IOException;

  /**
   * Ends the waits of the running step soon, because the master stops. Work that cannot end soon
   * continues at the next start.
   */
  default void hurry() {}

  /**
   * Keeps everything as its last step left it, because no further step runs before the master
   * starts again. Called instead of the next step, if the procedure can no longer be undone. The
   * procedure keeps its locks.
   */
  default void suspend() {}

  /** Returns its steps. */
  List<Step> steps();

  /**
   * Returns the failure with which the procedure ends although all steps are done, because what it
   * has changed does not work. Called after the last step.
   */
  default Optional<IOException> shortcoming() {
    return Optional.empty();
  }

  /** Returns how many of the first steps can be undone if one of them fails. Others are retried. */
  default int undoableSteps() {
    return 0;
  }

  /** Undoes the first steps, which may have run. */
  default void undo(Completion completion) {
    completion.done();
  }

  /**
   * One step.
   *
   * @param name HBase's name of the state
   * @param action begins it; the completion tells its end
   * @param endsWithNext whether its end is stored only with the next step's, which saves a sync:
   *     after a kill during the next step, both steps are begun again
   */
  record Step(String name, Action action, boolean endsWithNext) {
    /** Creates a step whose end is stored. */
    public Step(String name, Action action) {
      this(name, action, false);
    }

    /** Returns a step whose end is stored only with the next step's. */
    public static Step endingWithNext(String name, Action action) {
      return new Step(name, action, true);
    }
  }

  /** The work of a step. */
  @FunctionalInterface
  interface Action {
    /** Begins the work, and reports its end to {@code completion}. */
    void begin(Completion completion);
  }
}
