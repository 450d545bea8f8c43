package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.rpc.CallMemory;
import dev.cairn.server.rpc.ClientVersion;
import dev.cairn.server.rpc.RpcCall;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A call without a network: what came beside the request, and what goes beside the response. */
final class FakeCall implements RpcCall {
  final CellBuffer request = new CellBuffer();
  CellBuffer response = new CellBuffer();
  boolean acceptsCellBlock = true;
  ClientVersion clientVersion = new ClientVersion(2, 6);
  CallMemory memory = CallMemory.UNLIMITED;
  boolean requestReleased;
  CellBuffer.Growth growth = capacity -> {};

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
    return 0;
  }

  @Override
  public long deadlineNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean isAbandoned() {
    return false;
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
