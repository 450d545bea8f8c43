package dev.cairn.server.master.hook;

import java.io.IOException;

/** Starts the coprocessors of a master that becomes active. Thread-safe. */
public interface MasterHookSource {
  /** A site that names no coprocessors. */
  MasterHookSource NONE =
      new MasterHookSource() {
        @Override
        public boolean isUsed() {
          return false;
        }

        @Override
        public MasterHooks open(MasterView view) {
          return MasterHooks.NONE;
        }
      };

  /** Tells whether the site names a coprocessor that is not built in. */
  boolean isUsed();

  /**
   * Loads and starts the coprocessors. May wait.
   *
   * @throws IOException if one cannot be loaded or started, and the site does not allow the master
   *     to lead without it
   */
  MasterHooks open(MasterView view) throws IOException;
}
