package dev.cairn.tools.settings;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SecurityRule;
import dev.cairn.server.config.SettingLookup;
import dev.cairn.server.config.SettingLookup.Known;
import dev.cairn.server.config.SettingRule;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.config.SiteReview;
import dev.cairn.server.config.Verdict;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All settings of a site. Immutable. */
public final class SiteSettings {
  private final SiteConfig config;
  private final List<ConfigKey<?>> keys;
  private final String file;
  private final SettingLookup lookup;
  private final SiteReview review;

  /**
   * Creates the settings.
   *
   * @param config the site
   * @param keys all keys that the server reads
   * @param file where the site was read from, for people
   */
  public SiteSettings(SiteConfig config, Collection<ConfigKey<?>> keys, String file) {
    this.config = config;
    this.keys = keys.stream().sorted(Comparator.comparing(key -> key.name())).toList();
    this.file = file;
    this.lookup = new SettingLookup(keys);
    this.review = new SiteReview(keys);
  }

  /** Returns all keys that the server reads, ordered by name. */
  public List<ShownSetting.InForce> inForce() {
    return keys.stream().map(this::inForce).toList();
  }

  /** Returns the settings of the site that the server does not read, ordered by name. */
  public List<ShownSetting.Other> others() {
    return config.texts().keySet().stream()
        .flatMap(
            name -> find(name) instanceof ShownSetting.Other other ? Stream.of(other) : Stream.of())
        .toList();
  }

  /**
   * Returns a setting, under any of its names.
   *
   * @throws UnknownSettingException if the name is unknown, and the site does not set it
   */
  public ShownSetting find(String name) {
    Known known = lookup.find(name);
    if (known instanceof Known.InForce found) {
      return inForce(found.key());
    }
    Optional<String> value = Optional.ofNullable(config.texts().get(name));
    if (known instanceof Known.Unknown unknown && value.isEmpty()) {
      throw new UnknownSettingException(name, unknown.nearest());
    }
    Optional<String> problem = value.flatMap(text -> problem(name, text));
    if (known instanceof Known.Protection found) {
      return protection(name, value, found.rule(), problem);
    }
    if (known instanceof Known.NotRead found) {
      SettingRule rule = found.rule();
      boolean harmless = value.isPresent() && problem.isEmpty();
      Verdict verdict = harmless ? rule.verdict().ofHarmless() : rule.verdict();
      return new ShownSetting.Other(name, value, verdict.label(), rule.reason(), problem);
    }
    return new ShownSetting.Other(
        name, value, "unknown", "The server does not know it; others may read it.", problem);
  }

  private Optional<String> problem(String name, String value) {
    try {
      return review.warning(name, value);
    } catch (ConfigException e) {
      return Optional.of(e.getMessage());
    }
  }

  private ShownSetting.InForce inForce(ConfigKey<?> key) {
    Optional<String> name = config.nameInUse(key);
    Optional<String> problem = Optional.empty();
    try {
      config.get(key);
    } catch (ConfigException e) {
      problem = Optional.of(e.getMessage());
    }
    Optional<String> source =
        name.map(used -> used.equals(key.name()) ? file : file + " (as " + used + ")");
    String value = name.map(config.texts()::get).map(String::strip).orElse(key.defaultText());
    return new ShownSetting.InForce(key, value, source, problem);
  }

  private static ShownSetting protection(
      String name, Optional<String> value, SecurityRule rule, Optional<String> problem) {
    return new ShownSetting.Other(
        name,
        value,
        "refused with " + rule.values(),
        "Asks for protection: Cairn " + rule.reason() + ".",
        problem);
  }

  /** There is no such setting. The message names the setting that was probably meant. */
  public static final class UnknownSettingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnknownSettingException(String name, Optional<String> nearest) {
      super(
          "there is no setting "
              + name
              + nearest
                  .map(near -> "; did you mean " + near + "?")
                  .orElse("; bin/cairn config lists all"));
    }
  }
}
