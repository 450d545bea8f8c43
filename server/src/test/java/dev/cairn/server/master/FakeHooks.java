package dev.cairn.server.master;

import dev.cairn.server.master.hook.MasterHookSource;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.hook.MasterView;
import dev.cairn.server.master.hook.NoMasterHooks;

/** Coprocessors whose hooks a test writes; none has an effect by itself. */
public abstract class FakeHooks extends NoMasterHooks {
  /** Returns the source of these hooks, for a cluster. */
  public MasterHookSource source() {
    return new MasterHookSource() {
      @Override
      public boolean isUsed() {
        return true;
      }

      @Override
      public MasterHooks open(MasterView view) {
        return FakeHooks.this;
      }
    };
  }
}
