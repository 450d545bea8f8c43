package dev.cairn.server.regionserver;

import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.server.rpc.service.CallMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Grants every loan, and records the waits. */
public class UnlimitedMemory implements CallMemory {
  public final List<Long> awaited = new ArrayList<>();

  @Override
  public void borrowForMessage(long bytes) {}

  @Override
  public void prepare(long cellBytes) {}

  @Override
  public long borrowForCells(long wantedBytes) {
    return wantedBytes;
  }

  @Override
  public void await(MemoryShortageException shortage) throws IOException {
    awaited.add(shortage.neededBytes());
  }
}
