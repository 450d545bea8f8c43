package dev.cairn.server.hook;

import dev.cairn.server.regionserver.admin.ServerEvents;
import dev.cairn.server.regionserver.hosted.RegionServices;

/** The running coprocessors of a region server itself. Thread-safe. */
public interface RegionServerHooks extends AutoCloseable {
  /** No coprocessors. */
  RegionServerHooks NONE =
      new RegionServerHooks() {
        @Override
        public ServerEvents events() {
          return ServerEvents.NONE;
        }

        @Override
        public RegionServices services() {
          return RegionServices.NONE;
        }

        @Override
        public void close() {}
      };

  /** Returns the listener of the server's events. */
  ServerEvents events();

  /** Returns the services of the coprocessors. */
  RegionServices services();

  /** Stops the coprocessors that still run. Called after the server has stopped or aborted. */
  @Override
  void close();
}
