package dev.cairn.server.hook;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.hooked.AbsentClasses;
import dev.cairn.server.regionserver.hooked.HandlerShares;
import dev.cairn.server.regionserver.hooked.HookTimes;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Gives coprocessors access to the process of their server.
 *
 * @param config the settings that the process started with
 * @param current returns the settings that are in force now
 * @param quorum returns the addresses of ZooKeeper, {@code host:port}, separated by commas
 * @param jars the local folder for copies of tables' jars; need not exist
 * @param allowsAnyJar whether tables may name any jar if the site sets no allowed paths
 * @param clock measures hooks
 * @param handlers limits the handlers that work on tables with hooks
 * @param times counts the calls of hooks
 * @param absent the classes that are left out or removed
 */
public record ServerHost(
    SiteConfig config,
    Supplier<SiteConfig> current,
    Supplier<String> quorum,
    Path jars,
    boolean allowsAnyJar,
    Clock clock,
    HandlerShares handlers,
    HookTimes times,
    AbsentClasses absent) {}
