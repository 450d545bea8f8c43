package dev.cairn.server.hook;

import dev.cairn.server.config.SiteConfig;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * A process, for the coprocessors of its servers.
 *
 * @param config the settings of the start
 * @param quorum returns the addresses of ZooKeeper, {@code host:port}, separated by commas
 * @param jars the local folder for copies of tables' jars; need not exist
 * @param allowsAnyJar whether tables may name jars anywhere if the site does not say where
 */
public record ServerHost(
    SiteConfig config, Supplier<String> quorum, Path jars, boolean allowsAnyJar) {}
