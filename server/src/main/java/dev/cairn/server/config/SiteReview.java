package dev.cairn.server.config;

import dev.cairn.server.config.SettingLookup.Known;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reviews the settings of a site. Warns of misspelt settings and of settings without effect;
 * refuses settings that must not be ignored. {@link SecurityRules} checks settings that request
 * protection.
 */
public final class SiteReview {
  private static final String OWN_PREFIX = "cairn.";

  private final SettingLookup lookup;

  /**
   * Creates a review.
   *
   * @param inForce all keys that the server reads
   */
  public SiteReview(Collection<ConfigKey<?>> inForce) {
    this.lookup = new SettingLookup(inForce);
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
    others.keySet().removeIf(lookup::isInForce); // most sites need no table of the others
    others.forEach((name, value) -> warning(name, value).ifPresent(warnings::add));
    return warnings;
  }

  /**
   * Returns a warning if the setting {@code name}, which the server does not read, is probably
   * misspelt or unexpectedly has no effect.
   *
   * @throws ConfigException if the setting must not be ignored
   */
  public Optional<String> warning(String name, String value) {
    Known known = lookup.find(name);
    if (known instanceof Known.NotRead found) {
      found
          .rule()
          .refusal(name, value)
          .ifPresent(
              refusal -> {
                throw new ConfigException(refusal);
              });
      return found.rule().warning(name, value).or(() -> found.nearest().map(n -> meant(name, n)));
    }
    if (known instanceof Known.Unknown unknown) {
      Optional<String> own =
          name.startsWith(OWN_PREFIX)
              ? Optional.of(name + " is unknown and has no effect.")
              : Optional.empty();
      return unknown.nearest().map(nearest -> meant(name, nearest)).or(() -> own);
    }
    return Optional.empty();
  }

  private static String meant(String name, String nearest) {
    return name + " is unknown and has no effect. Did you mean " + nearest + "?";
  }
}
