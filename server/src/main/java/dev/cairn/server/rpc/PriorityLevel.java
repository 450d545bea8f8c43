package dev.cairn.server.rpc;

import dev.cairn.server.config.SiteConfig;
import java.util.List;

/**
 * The calls of one priority in their header, which have their own handlers. Coprocessors call other
 * regions and wait for the answers: Apache Phoenix writes indexes with one priority, and reads its
 * system tables with another. If these calls shared handlers with each other, or with those of
 * HBase's system tables, all handlers could wait for calls that wait for handlers.
 *
 * @param name for the names of threads
 * @param priority the priority in the headers of these calls
 * @param handlers maximum threads
 */
public record PriorityLevel(String name, int priority, int handlers) {

  /** Returns the levels of Phoenix's calls. */
  static List<PriorityLevel> from(SiteConfig config) {
    return List.of(
        new PriorityLevel(
            "serverside",
            config.get(RpcKeys.SERVER_SIDE_PRIORITY).intValue(),
            config.get(RpcKeys.SERVER_SIDE_HANDLER_COUNT).intValue()),
        new PriorityLevel(
            "index",
            config.get(RpcKeys.INDEX_PRIORITY).intValue(),
            config.get(RpcKeys.INDEX_HANDLER_COUNT).intValue()),
        new PriorityLevel(
            "metadata",
            config.get(RpcKeys.METADATA_PRIORITY).intValue(),
            config.get(RpcKeys.METADATA_HANDLER_COUNT).intValue()));
  }
}
