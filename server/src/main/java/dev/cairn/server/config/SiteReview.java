package dev.cairn.server.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reviews the settings of a site. Warns of misspelt settings and of settings without effect;
 * refuses settings that must not be ignored. {@link SecurityRules} checks settings that request
 * protection.
 */
public final class SiteReview {
  private static final String OWN_PREFIX = "cairn.";
  private static final List<String> PREFIXES =
      List.of(OWN_PREFIX, "hbase.", "hfile.", "zookeeper.");

  private final Set<String> inForce;

  /**
   * Creates a review.
   *
   * @param inForce all keys that the server reads
   */
  public SiteReview(Collection<ConfigKey<?>> inForce) {
    this.inForce =
        inForce.stream()
            .flatMap(key -> Stream.concat(Stream.of(key.name()), key.oldNames().stream()))
            .collect(Collectors.toSet());
  }

  /**
   * Returns a warning for each setting that is probably misspelt, or that unexpectedly has no
   * effect. Ordered by name.
   *
   * @throws ConfigException naming a setting that must not be ignored
   */
  public List<String> review(SiteConfig config) {
    List<String> warnings = new ArrayList<>();
    for (SecurityRules.Finding finding : SecurityRules.check(config)) {
      warnings.add(finding + ". " + SecurityRules.IGNORE_UNSUPPORTED.name() + " is true.");
    }
    Map<String, String> others = config.texts();
    others.keySet().removeIf(name -> inForce.contains(name) || SecurityRules.of(name).isPresent());
    if (!others.isEmpty()) { // most sites need no table
      SettingTable table = SettingTable.ofSite();
      others.forEach((name, value) -> warning(table, name, value).ifPresent(warnings::add));
    }
    return warnings;
  }

  private Optional<String> warning(SettingTable table, String name, String value) {
    Optional<SettingRule> rule = table.find(name);
    rule.flatMap(found -> found.refusal(name, value))
        .ifPresent(
            refusal -> {
              throw new ConfigException(refusal);
            });
    return rule.flatMap(found -> found.warning(name, value)).or(() -> unknown(table, name));
  }

  private Optional<String> unknown(SettingTable table, String name) {
    if (table.names(name) || PREFIXES.stream().noneMatch(name::startsWith)) {
      return Optional.empty();
    }
    Optional<String> meant =
        NearestName.of(name, names(table)).map(near -> ". Did you mean " + near + "?");
    return name.startsWith(OWN_PREFIX) || meant.isPresent()
        ? Optional.of(name + " is unknown and has no effect" + meant.orElse("."))
        : Optional.empty();
  }

  private Set<String> names(SettingTable table) {
    Set<String> names = new TreeSet<>(inForce);
    SecurityRules.all().forEach(rule -> names.add(rule.key()));
    table.rules().stream()
        .filter(rule -> !rule.isWildcard())
        .map(SettingRule::name)
        .forEach(names::add);
    return names;
  }
}
