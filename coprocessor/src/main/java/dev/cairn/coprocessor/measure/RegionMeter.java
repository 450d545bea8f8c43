package dev.cairn.coprocessor.measure;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hooked.HookTimes;

/** Measures the hooks of one region. Thread-safe. */
public record RegionMeter(HookTimes times, TableName table, Clock clock) {
  /** Begins a call of a hook on this thread, which closes the result. */
  public HookCall begin(String hook) {
    return HookCall.begin(this, hook);
  }

  /** Begins code of a class that no host of HBase calls. The thread closes the result. */
  public HookCall begin(String hook, ClassMeter of) {
    HookCall call = HookCall.begin(this, hook);
    HookCall.reached(of);
    return call;
  }

  /** Returns the meter of a class. */
  public ClassMeter ofClass(String className) {
    return new ClassMeter(this, className);
  }
}
