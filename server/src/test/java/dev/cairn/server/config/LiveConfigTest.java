package dev.cairn.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.config.LiveConfig.Change;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class LiveConfigTest {
  private static final ConfigKey<Long> LIVE =
      ConfigKey.number("cairn.live", 5, 0, 100, "Changes.").formerly("cairn.live.old").atRunTime();
  private static final ConfigKey<Long> OTHER =
      ConfigKey.number("cairn.live.other", 5, 0, 100, "Changes, too.").atRunTime();
  private static final ConfigKey<Long> FIXED = ConfigKey.number("cairn.fixed", 7, 0, 100, "Stays.");

  private final Map<String, String> file = new HashMap<>();
  private final List<ConfigKey<?>> keys = List.of(LIVE, OTHER, FIXED);

  private LiveConfig started() {
    return new LiveConfig(
        new SiteConfig(file),
        () -> new SiteConfig(file),
        keys,
        read -> {
          read.check(keys);
          return List.of();
        });
  }

  @Test
  void aReloadPutsKeysThatChangeAtRunTimeIntoForce() {
    LiveConfig config = started();
    Supplier<Long> doubled = config.derive(settings -> 2 * settings.get(LIVE));
    assertThat(doubled.get()).isEqualTo(10);
    file.put(LIVE.name(), "8");
    LiveConfig.Reload reload = config.reload();
    assertThat(doubled.get()).isEqualTo(16);
    assertThat(config.current().get(LIVE)).isEqualTo(8);
    assertThat(reload.changed()).containsExactly(new Change("cairn.live", "5", "8"));
    assertThat(reload.atNextStart()).isEmpty();
  }

  @Test
  void aKeyMayChangeUnderAnOldName() {
    LiveConfig config = started();
    file.put("cairn.live.old", "8");
    assertThat(config.reload().changed()).containsExactly(new Change("cairn.live", "5", "8"));
    assertThat(config.current().get(LIVE)).isEqualTo(8);
    file.put(LIVE.name(), "9");
    config.reload();
    assertThat(config.current().get(LIVE)).isEqualTo(9);
    file.clear();
    config.reload();
    assertThat(config.current().get(LIVE)).isEqualTo(5);
  }

  @Test
  void aKeyThatTheFileNoLongerHasReturnsToItsDefault() {
    file.put(LIVE.name(), "8");
    LiveConfig config = started();
    file.clear();
    config.reload();
    assertThat(config.current().get(LIVE)).isEqualTo(5);
    assertThat(config.current().find(LIVE)).isEmpty();
  }

  @Test
  void otherKeysKeepTheirValuesAndAreNamedUntilTheNextStart() {
    LiveConfig config = started();
    Supplier<Long> derived = config.derive(settings -> settings.get(FIXED));
    file.put(FIXED.name(), "9");
    assertThat(config.reload().atNextStart()).containsExactly(new Change("cairn.fixed", "7", "9"));
    assertThat(derived.get()).isEqualTo(7);
    assertThat(config.current().get(FIXED)).isEqualTo(7);
    assertThat(config.reload().atNextStart()).hasSize(1);
    file.put(FIXED.name(), "7");
    assertThat(config.reload().atNextStart()).isEmpty();
  }

  @Test
  void anImpossibleValueChangesNothing() {
    LiveConfig config = started();
    file.put(LIVE.name(), "8");
    file.put(OTHER.name(), "101");
    assertThatThrownBy(config::reload)
        .isInstanceOf(ConfigException.class)
        .hasMessage("cairn.live.other must be 0 to 100, not <101>");
    assertThat(config.current().get(LIVE)).isEqualTo(5);
  }

  @Test
  void valuesThatArePossibleAloneButNotTogetherChangeNothing() {
    LiveConfig config = started();
    Supplier<Long> first = config.derive(settings -> settings.get(LIVE));
    config.derive(
        settings -> {
          if (settings.get(LIVE) > settings.get(OTHER)) {
            throw new ConfigException("cairn.live exceeds cairn.live.other");
          }
          return 0;
        });
    file.put(LIVE.name(), "8");
    assertThatThrownBy(config::reload).hasMessage("cairn.live exceeds cairn.live.other");
    assertThat(first.get()).isEqualTo(5);
    file.put(OTHER.name(), "9");
    config.reload();
    assertThat(first.get()).isEqualTo(8);
  }

  @Test
  void aValueThatNeedsAnotherOneOfTheNextStartChangesNothing() {
    LiveConfig config =
        new LiveConfig(
            new SiteConfig(file),
            () -> new SiteConfig(file),
            keys,
            read -> {
              if (read.get(LIVE) > read.get(FIXED)) {
                throw new ConfigException("cairn.live exceeds cairn.fixed");
              }
              return List.of();
            });
    file.put(LIVE.name(), "9");
    file.put(FIXED.name(), "10");
    assertThatThrownBy(config::reload).hasMessage("cairn.live exceeds cairn.fixed");
    assertThat(config.current().get(LIVE)).isEqualTo(5);
  }

  @Test
  void settingsWithoutAFileCannotBeReadAgain() {
    LiveConfig config = LiveConfig.fixed(new SiteConfig(Map.of(LIVE.name(), "8")));
    assertThat(config.current().get(LIVE)).isEqualTo(8);
    assertThatThrownBy(config::reload)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("without a configuration folder");
  }
}
