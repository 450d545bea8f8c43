package dev.cairn.launcher.run;

import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.server.config.SecurityRules;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.BindAddresses;
import dev.cairn.server.process.keys.ProcessSettings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes which hosts can reach a server, and which requested protection is missing.
 *
 * @param openTo the hosts that can reach it, as text
 * @param missing the protections that the settings ask for and Cairn lacks, one sentence each
 */
public record Exposure(String openTo, List<String> missing) {
  /**
   * Finds out which hosts can reach a server with the settings {@code config}.
   *
   * @param addresses the server's addresses
   */
  public static Exposure of(SiteConfig config, Addresses addresses) {
    BindAddresses bound = BindAddresses.of(config);
    List<String> open = new ArrayList<>();
    if (!ProcessSettings.usesOtherZooKeeper(config)) {
      add(bound.zooKeeper(), addresses.zooKeeper(), open);
    }
    add(bound.master(), addresses.master(), open);
    addresses
        .web()
        .filter(url -> !addresses.regionServerWeb().equals(addresses.web()))
        .ifPresent(url -> add(bound.web(), withoutSlash(url), open));
    add(bound.regionServer(), addresses.regionServer(), open);
    addresses
        .regionServerWeb()
        .ifPresent(url -> add(bound.regionServerWeb(), withoutSlash(url), open));
    String openTo =
        open.isEmpty()
            ? "this machine only (" + BindAddresses.ALL.name() + " opens it)"
            : "every host that can reach "
                + String.join(", ", open)
                + "; there is no access control";
    return new Exposure(
        openTo,
        SecurityRules.findings(config).stream().map(SecurityRules.Finding::toString).toList());
  }

  /** Prints one fact per line. */
  public void print(PrintWriter out) {
    Descriptions.line("open to", openTo, out);
    missing.forEach(sentence -> Descriptions.line("WARNING", sentence, out));
  }

  /** Returns those of the review's warnings that {@link #print} does not print. */
  public List<String> others(List<String> warnings) {
    return warnings.stream()
        .filter(warning -> missing.stream().noneMatch(warning::startsWith))
        .toList();
  }

  private static String withoutSlash(String url) {
    return url.replaceFirst("/+$", "");
  }

  private static void add(String bound, String reachedAt, List<String> open) {
    if (!BindAddresses.isLoopback(bound)) {
      String host = bound.contains(":") && !bound.startsWith("[") ? "[" + bound + "]" : bound;
      open.add(host + reachedAt.substring(reachedAt.lastIndexOf(':')));
    }
  }
}
