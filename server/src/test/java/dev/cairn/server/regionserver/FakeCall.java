package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.rpc.service.CallBudget;
import dev.cairn.server.rpc.service.CallMemory;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.ClientVersion;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A call without a network: what came beside the request, and what goes beside the response. */
public final class FakeCall implements RpcCall {
  public final CellBuffer request = new CellBuffer();
  public CellBuffer response = new CellBuffer();
  public boolean acceptsCellBlock = true;
  public ClientVersion clientVersion = new ClientVersion(2, 6);
  public CallMemory memory = new UnlimitedMemory();
  public boolean requestReleased;
  public CellBuffer.Growth growth = capacity -> {};
  CallBudget budget = CallBudget.HANDLER;
  public long receivedNanos;
  boolean abandoned;
  Runnable stop = () -> {};

  /** Returns the outcome's response. */
  public static <R> R answer(CallOutcome<R> outcome) {
    assertThat(outcome).isInstanceOf(CallOutcome.Answered.class);
    return ((CallOutcome.Answered<R>) outcome).response();
  }

  /** Returns the call with the budget of a network thread for a method. */
  public FakeCall inline(String method) {
    budget = MethodTables.CLIENT.find(method).orElseThrow().inline().orElseThrow();
    return this;
  }

  /** Returns the call with the budget of a handler. */
  public FakeCall handled() {
    budget = CallBudget.HANDLER;
    return this;
  }

  @Override
  public CallBudget budget() {
    return budget;
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
  }

  @Override
  public String user() {
    return "test";
  }

  @Override
  public long receivedNanos() {
    return receivedNanos;
  }

  @Override
  public long deadlineNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public void onAbandoned(Runnable work) {
    stop = work;
  }

  /** An operator ends the call. */
  public void end() {
    abandoned = true;
    stop.run();
  }

  @Override
  public CellBuffer requestCells() {
    return request;
  }

  @Override
  public void releaseRequest() {
    requestReleased = true;
  }

  @Override
  public boolean acceptsCellBlock() {
    return acceptsCellBlock;
  }

  @Override
  public ClientVersion clientVersion() {
    return clientVersion;
  }

  @Override
  public boolean acceptsTags() {
    return false;
  }

  @Override
  public CellBuffer responseBuffer(int bytes) {
    CellBuffer buffer = new CellBuffer();
    buffer.watch(growth);
    return buffer;
  }

  @Override
  public CallMemory memory() {
    return memory;
  }

  @Override
  public int responseCellBytes() {
    return response.byteSize();
  }

  @Override
  public void setResponseCells(CellBuffer cells) {
    response = cells;
  }
}
