package dev.cairn.server.master.group;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The site's settings of groups.
 *
 * @param enabled whether there are groups
 * @param fallback whether other servers serve the tables of a group without a live server
 */
public record GroupSettings(boolean enabled, BooleanSupplier fallback) {
  /** No groups. */
  public static final GroupSettings OFF = new GroupSettings(false, () -> false);

  /** The coprocessor of the master that turns groups on. */
  public static final String ENDPOINT = "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint";

  private static final String BALANCER = "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer";

  private static final ConfigKey<String> BALANCER_CLASS =
      ConfigKey.text(
          "hbase.master.loadbalancer.class",
          "org.apache.hadoop.hbase.master.balancer.StochasticLoadBalancer",
          "RSGroupBasedLoadBalancer is required where hbase.coprocessor.master.classes names"
              + " RSGroupAdminEndpoint, and refused elsewhere. Other classes have no effect.");

  private static final ConfigKey<Boolean> FALLBACK =
      ConfigKey.flag(
              "hbase.rsgroup.fallback.enable",
              false,
              "Whether regions of a group of region servers without a live server open at servers"
                  + " of the group default, or at any server if that group has none either.")
          .atRunTime();

  /**
   * Reads the settings.
   *
   * @param enabled whether the site's coprocessors of the master include {@link #ENDPOINT}
   */
  public static GroupSettings of(LiveConfig config, boolean enabled) {
    Supplier<Boolean> fallback = config.derive(now -> now.get(FALLBACK));
    return new GroupSettings(enabled, fallback::get);
  }

  /**
   * Checks that the site names both classes or none, as HBase does.
   *
   * @throws ConfigException if it names one of them
   */
  public static void check(SiteConfig config, boolean enabled) {
    boolean named = config.get(BALANCER_CLASS).trim().equals(BALANCER);
    if (enabled != named) {
      throw new ConfigException(
          "Groups of region servers need both "
              + ENDPOINT
              + " in hbase.coprocessor.master.classes and "
              + BALANCER
              + " as "
              + BALANCER_CLASS.name()
              + "; only the "
              + (named ? "second" : "first")
              + " is there");
    }
  }

  /** Returns a warning if the site names a balancer that Cairn does not have. */
  public static Optional<String> warning(SiteConfig config) {
    String named = config.get(BALANCER_CLASS).trim();
    return List.of(BALANCER, BALANCER_CLASS.defaultText()).contains(named)
        ? Optional.empty()
        : Optional.of(
            BALANCER_CLASS.name()
                + " = "
                + named
                + " has no effect. The balancer cannot be replaced.");
  }

  /** Returns the keys of the settings. */
  public static List<ConfigKey<?>> keys() {
    return List.of(BALANCER_CLASS, FALLBACK);
  }
}
