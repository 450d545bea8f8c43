package dev.cairn.server.config;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Finds the server's verdict on a setting by its name. Immutable. */
public final class SettingLookup {
  private static final String HBASE_PREFIX = "hbase.";

  /** Other prefixes with a rule belong to other software, which has more keys than are known. */
  private static final List<String> OWN_PREFIXES =
      List.of("cairn.", HBASE_PREFIX, "hfile.", "zookeeper.");

  private final Map<String, ConfigKey<?>> inForce = new HashMap<>();

  /** The result of a look-up. */
  public sealed interface Known {
    /**
     * The server reads the key.
     *
     * @param key the key, which may have another name now
     */
    record InForce(ConfigKey<?> key) implements Known {}

    /**
     * The setting requests protection.
     *
     * @param rule defines the values that request it
     */
    record Protection(SecurityRule rule) implements Known {}

    /**
     * The server does not read the setting.
     *
     * @param rule the reason
     * @param nearest the closest known name, if the rule is for a prefix
     */
    record NotRead(SettingRule rule, Optional<String> nearest) implements Known {}

    /**
     * The name is unknown.
     *
     * @param nearest the known name that was probably meant
     */
    record Unknown(Optional<String> nearest) implements Known {}
  }

  /**
   * Creates a look-up.
   *
   * @param keys all keys that the server reads
   */
  public SettingLookup(Collection<ConfigKey<?>> keys) {
    for (ConfigKey<?> key : keys) {
      inForce.put(key.name(), key);
      key.oldNames().forEach(name -> inForce.put(name, key));
    }
  }

  /** Tells whether the server reads the key {@code name}. */
  boolean isInForce(String name) {
    return inForce.containsKey(name);
  }

  /** Looks up a setting. */
  public Known find(String name) {
    ConfigKey<?> key = inForce.get(name);
    if (key != null) {
      return new Known.InForce(key);
    }
    Optional<SecurityRule> protection = SecurityRules.of(name);
    if (protection.isPresent()) {
      return new Known.Protection(protection.get());
    }
    SettingTable table = SettingTable.ofSite();
    Optional<SettingRule> rule = table.find(name);
    boolean others = rule.isPresent() && OWN_PREFIXES.stream().noneMatch(name::startsWith);
    Optional<String> nearest =
        table.names(name) || others ? Optional.empty() : nearest(table, name);
    return rule.isPresent() ? new Known.NotRead(rule.get(), nearest) : new Known.Unknown(nearest);
  }

  /**
   * Returns the known name that differs from {@code name} in a letter or two, or by a missing
   * prefix.
   */
  private Optional<String> nearest(SettingTable table, String name) {
    Set<String> names = new TreeSet<>(inForce.keySet());
    SecurityRules.all().forEach(rule -> names.add(rule.key()));
    table.rules().stream()
        .filter(rule -> !rule.isWildcard())
        .map(SettingRule::name)
        .forEach(names::add);
    return NearestName.of(name, names)
        .or(() -> Optional.of(HBASE_PREFIX + name).filter(names::contains));
  }
}
