package dev.cairn.server.master.members;

import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.List;

/** The write-ahead logs that servers left behind. Calls wait for the storage. */
public interface DeadServerLogs {
  /** Returns the servers, living or dead, that have a log. */
  List<ServerName> servers() throws IOException;

  /**
   * Takes the log away from a dead server, so that it can write no more, and gives each region its
   * entries; then the log is gone. May be repeated after a failure. Nothing happens if there is no
   * log.
   */
  void recover(ServerName dead) throws IOException;
}
