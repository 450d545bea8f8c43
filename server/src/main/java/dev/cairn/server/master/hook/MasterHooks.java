package dev.cairn.server.master.hook;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.rpc.service.CallMemory;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The running coprocessors of an active master. All methods that call hooks may wait; the master's
 * loop calls only {@link #concerns} and {@link #at}. Thread-safe.
 */
public interface MasterHooks extends AutoCloseable {
  /** A master without coprocessors. */
  MasterHooks NONE = new NoMasterHooks();

  /**
   * The operation between the hooks. If each part of a request has its own hooks, the operation
   * runs once for each part; otherwise it runs at most once.
   */
  @FunctionalInterface
  interface Body<Q, R> {
    /**
     * Runs the operation.
     *
     * @throws IOException without any effect, if the deadline of the call has passed
     */
    R run(Q request) throws IOException;
  }

  /** The hooks at a moment of a procedure. */
  @FunctionalInterface
  interface StepHook {
    /**
     * Calls the hooks.
     *
     * @param data the procedure's data, whose type its kind determines
     * @param user the procedure's owner
     */
    void call(Message data, String user) throws IOException;
  }

  /** A moment of a procedure. */
  enum Moment {
    /** Before the procedure's first step. */
    BEGIN,
    /** After a step, whose end is not stored yet. */
    AFTER_STEP,
    /** After the last step, when its end is stored. */
    COMPLETED,
    /** After the procedure was undone. */
    UNDONE
  }

  /** A region that the balancer moves. */
  record RegionMove(RegionInfo region, ServerName from, ServerName to) {}

  /** A run of the balancer, with the moves that it begins. */
  record Balanced(BalanceResponse response, List<RegionMove> moves) {}

  /** Calls the hooks of a master that is about to become active. Their failures are logged. */
  void beforeInitialization();

  /** Calls the hooks of a master that is initialized. Their failures are logged. */
  void afterInitialization();

  /**
   * Tells whether a method has hooks.
   *
   * @param method the name of a method of {@code MasterService}; of other services with the
   *     service's name and a dot before it
   */
  boolean concerns(String method);

  /**
   * Calls the hooks of a method that {@link #concerns} names, and the method between them.
   *
   * @return the response, which hooks may have changed
   * @throws IOException of a hook or the method. If a hook before the method throws it, the method
   *     is not called
   */
  <Q extends Message, R extends Message> R around(String method, Q request, Body<Q, R> body)
      throws IOException;

  /**
   * Calls the hooks around a run of the balancer, which does not run if a hook fails.
   *
   * @param body plans, and begins the moves
   */
  Balanced balance(BalanceRequest request, Body<BalanceRequest, Balanced> body) throws IOException;

  /**
   * Returns the hooks at a moment of a procedure; empty if there are none.
   *
   * @param procedure the simple name of the class that the procedure has in HBase
   * @param step the step that has ended, for {@link Moment#AFTER_STEP}; otherwise any
   */
  Optional<StepHook> at(String procedure, Moment moment, String step);

  /**
   * Calls a service that a coprocessor has registered.
   *
   * @return its answer; empty if there is no such service
   */
  Optional<NameBytesPair> serve(CoprocessorServiceCall call, CallMemory memory) throws IOException;

  /** Returns the names of the coprocessors, as HBase reports them. */
  List<String> names();

  /** Stops the coprocessors that still run. */
  @Override
  void close();
}
