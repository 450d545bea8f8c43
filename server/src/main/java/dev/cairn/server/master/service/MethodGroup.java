package dev.cairn.server.master.service;

import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcMethod.BlockingHandler;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Registers methods of one of the master's services. A registration begins with the method's
 * request and its subject, for example {@link #table}, and ends with its shape, for example {@link
 * Method#ask}: where the method runs, and what its response waits for.
 */
record MethodGroup(RpcService.Builder service, MasterGate gate) {
  /** Begins a method that concerns the cluster. */
  <Q extends Message> Method<Q> cluster(String name, Q prototype) {
    return about(name, prototype, CallSubject::cluster);
  }

  /** Begins a method that concerns a namespace. */
  <Q extends Message> Method<Q> namespace(String name, Q prototype, Function<Q, String> namespace) {
    return about(name, prototype, (call, r) -> new CallSubject.Namespace(namespace.apply(r)));
  }

  /** Begins a method that concerns a table. */
  <Q extends Message> Method<Q> table(
      String name, Q prototype, Function<Q, HBaseProtos.TableName> table) {
    return about(name, prototype, (call, r) -> CallSubject.table(table.apply(r)));
  }

  /** Begins a method that concerns a region. */
  <Q extends Message> Method<Q> region(
      String name, Q prototype, Function<Q, RegionSpecifier> region) {
    return about(name, prototype, (call, r) -> CallSubject.region(region.apply(r)));
  }

  /** Begins a method that concerns regions. */
  <Q extends Message> Method<Q> regions(
      String name, Q prototype, Function<Q, List<RegionSpecifier>> regions) {
    return about(name, prototype, (call, r) -> CallSubject.regions(regions.apply(r)));
  }

  /** Begins a method. */
  <Q extends Message> Method<Q> about(String name, Q prototype, CallSubject.Reader<Q> subject) {
    return new Method<>(this, name, prototype, subject);
  }

  /** Answers a request from the master's state. Called by the loop's owner. */
  @FunctionalInterface
  interface Answer<Q, R> {
    R answer(ActiveMaster master, Q request) throws IOException;
  }

  /** Begins work whose end completes the future with the response. Called by the loop's owner. */
  @FunctionalInterface
  interface Work<Q, R> {
    void begin(ActiveMaster master, Q request, CompletableFuture<R> future) throws IOException;
  }

  /** Begins work whose response has no content. Called by the loop's owner. */
  @FunctionalInterface
  interface Action<Q> {
    void begin(ActiveMaster master, Q request, Completion completion) throws IOException;
  }

  /** Makes the procedure that a user requests. Called by the loop's owner. */
  @FunctionalInterface
  interface Maker<Q> {
    Procedure make(ActiveMaster master, String user, Q request) throws IOException;
  }

  /** A method without a handler yet. */
  record Method<Q extends Message>(
      MethodGroup group, String name, Q prototype, CallSubject.Reader<Q> subject) {
    /** Answers on the calling handler. */
    <R extends Message> void handle(BlockingHandler<Q, R> handler) {
      handle(r -> Optional.empty(), handler);
    }

    /** Answers on the calling handler; a repeated request has the same nonce. */
    <R extends Message> void handle(
        Function<Q, Optional<Nonce>> nonce, BlockingHandler<Q, R> handler) {
      group.service.on(
          name, prototype, subject, HookedMethod.of(group.gate, hooked(), nonce, handler));
    }

    /** Returns the method's name for hooks. */
    private String hooked() {
      String service = group.service.service();
      return service.equals(MethodTables.MASTER.service()) ? name : service + "." + name;
    }

    /** Answers from the state of an initialized master. */
    <R extends Message> void ask(Answer<Q, R> answer) {
      handle((call, r) -> group.gate.ask(call, master -> answer.answer(master, r)));
    }

    /** Answers from the state of the active master, initialized or not. */
    <R extends Message> void askEarly(Answer<Q, R> answer) {
      handle(
          (call, r) ->
              group.gate.<R>requestEarly(
                  call, (master, future) -> future.complete(answer.answer(master, r))));
    }

    /** Answers once the region servers have reported the current loads of their regions. */
    <R extends Message> void askLoads(Answer<Q, R> answer) {
      handle((call, r) -> RegionLoads.ask(group.gate, call, master -> answer.answer(master, r)));
    }

    /** Has an initialized master begin work, and waits for the response. */
    <R extends Message> void begin(Work<Q, R> work) {
      handle(
          (call, r) ->
              group.gate.<R>request(call, (master, future) -> work.begin(master, r, future)));
    }

    /** Has an initialized master begin work, and returns {@code response} when it is done. */
    <R extends Message> void complete(R response, Action<Q> action) {
      this.<R>begin(
          (master, r, future) ->
              action.begin(
                  master,
                  r,
                  Completion.of(() -> future.complete(response), future::completeExceptionally)));
    }

    /** Returns the position of a switch. */
    <R extends Message> void askSwitch(Switch one, Function<Boolean, R> response) {
      ask((master, r) -> response.apply(master.switches().isOn(one)));
    }

    /** Sets a switch, and returns its position before. */
    <R extends Message> void setSwitch(Switch one, Predicate<Q> on, Function<Boolean, R> response) {
      handle((call, r) -> response.apply(group.gate.set(call, one, on.test(r))));
    }

    /** Submits a procedure. */
    Submission<Q> nonce(Function<Q, Optional<Nonce>> nonce) {
      return new Submission<>(this, nonce, r -> Optional.empty());
    }
  }

  /**
   * A method that submits a procedure.
   *
   * @param nonce returns the nonce of a request; a repeated request has the same one
   * @param described returns the table that a request describes, if it does
   */
  record Submission<Q extends Message>(
      Method<Q> method,
      Function<Q, Optional<Nonce>> nonce,
      Function<Q, Optional<HBaseProtos.TableSchema>> described) {
    /** Has the coprocessors of a table that a request describes examined before the loop checks. */
    Submission<Q> describing(Function<Q, HBaseProtos.TableSchema> table) {
      return new Submission<>(method, nonce, table.andThen(Optional::of));
    }

    private void examine(RpcCall call, Q request) throws IOException {
      Optional<HBaseProtos.TableSchema> table = described.apply(request);
      if (table.isPresent()) {
        method.group.gate.examine(call, TableDescriptorChecker.parse(table.get()));
      }
    }

    /** Returns the id of the procedure once it is stored. */
    <R extends Message> void submit(Maker<Q> maker, Function<Long, R> response) {
      method.handle(
          nonce,
          (call, r) -> {
            examine(call, r);
            return response.apply(
                method.group.gate.submit(
                    call, nonce.apply(r), master -> maker.make(master, call.user(), r)));
          });
    }

    /** Returns the id of the procedure, as {@link MasterGate#submitToEnd} does. */
    <R extends Message> void submitToEnd(Maker<Q> maker, Function<Long, R> response) {
      method.handle(nonce, toEnd(maker, response));
    }

    /** Returns what {@link #submitToEnd} registers, without hooks. */
    <R extends Message> BlockingHandler<Q, R> toEnd(Maker<Q> maker, Function<Long, R> response) {
      return (call, r) -> {
        examine(call, r);
        return response.apply(
            method.group.gate.submitToEnd(
                call, nonce.apply(r), master -> maker.make(master, call.user(), r)));
      };
    }
  }
}
