package dev.cairn.tools.doctor;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.tools.doctor.Finding.Area;
import java.util.List;
import java.util.function.Function;

/**
 * Checks whether a server starts with the settings of the site.
 *
 * @param config the settings
 * @param file the file of the settings, for people
 * @param review returns warnings about settings; throws {@link ConfigException} if no server starts
 */
public record SettingsCheck(
    SiteConfig config, String file, Function<SiteConfig, List<String>> review) {
  /** Adds the findings; a problem if no server starts with the settings. */
  public void run(Diagnosis diagnosis) {
    try {
      List<String> warnings = review.apply(config);
      diagnosis.ok(
          Area.SETTINGS, config.texts().size() + " keys are set (" + file + "), and can be used.");
      warnings.forEach(
          warning ->
              diagnosis.advise(
                  Area.SETTINGS, warning, file, "See bin/cairn config KEY, or remove the key."));
    } catch (ConfigException e) {
      diagnosis.problem(
          Area.SETTINGS,
          "No server starts with these settings: " + e.getMessage(),
          file,
          "Correct the value; bin/cairn config KEY shows the possible values.");
    }
  }
}
