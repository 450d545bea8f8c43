package dev.cairn.launcher.inspect;

import dev.cairn.engine.time.Clock;
import dev.cairn.launcher.folder.SiteFolders;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.CoprocessorCheck;
import dev.cairn.server.process.keys.ProcessSettings;
import dev.cairn.tools.settings.SettingJson;
import dev.cairn.tools.settings.SettingText;
import dev.cairn.tools.settings.ShownSetting;
import dev.cairn.tools.settings.SiteSettings;
import dev.cairn.tools.settings.SiteSettings.UnknownSettingException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn config}: shows settings. */
@Command(
    name = "config",
    description = {
      "Shows a setting with its value, default, source and meaning, or all settings that the server"
          + " reads.",
      "Also shows the settings of hbase-site.xml that the server does not read, and why."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:a server starts with these settings",
      "1:no server starts with them, or there is no such setting"
    })
public final class ConfigCommand implements Callable<Integer> {
  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "KEY",
      description = "A key of hbase-site.xml, under its present or an old name (default: all).")
  private Optional<String> key;

  @Option(
      names = "--changed",
      description = "Show only the keys whose values differ from their defaults.")
  private boolean changed;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    cairn.logErrorsOnly();
    SiteConfig config = cairn.siteConfig();
    String file = cairn.installation().siteFile();
    SiteSettings settings = new SiteSettings(config, ProcessSettings.keys(), file);
    PrintWriter out = spec.commandLine().getOut();
    int status = key.isPresent() ? one(settings, key.get(), out) : all(settings, config, out);
    out.flush();
    return status;
  }

  private int one(SiteSettings settings, String name, PrintWriter out) {
    ShownSetting setting;
    try {
      setting = settings.find(name);
    } catch (UnknownSettingException e) {
      throw new LauncherException(e.getMessage());
    }
    if (json) {
      out.println(SettingJson.one(setting));
    } else {
      new SettingText(out).one(setting);
    }
    return setting instanceof ShownSetting.InForce && setting.problem().isPresent() ? 1 : 0;
  }

  private int all(SiteSettings settings, SiteConfig config, PrintWriter out) {
    List<ShownSetting.InForce> inForce =
        settings.inForce().stream().filter(one -> !changed || one.isChanged()).toList();
    Optional<String> refusal = refusal(cairn, config);
    if (json) {
      out.println(SettingJson.all(inForce, settings.others(), refusal));
    } else {
      SettingText text = new SettingText(out);
      text.table(inForce);
      text.others(settings.others());
      text.refusal(refusal);
    }
    return refusal.isPresent() ? 1 : 0;
  }

  /** Returns the reason why a server does not start with the settings. */
  private static Optional<String> refusal(CommandContext cairn, SiteConfig config) {
    try {
      ProcessSettings.review(config);
      CoprocessorCheck.check(config, Clock.SYSTEM);
      if (!ProcessSettings.usesOtherZooKeeper(config)) {
        new SiteFolders(cairn).data();
      }
      return Optional.empty();
    } catch (ConfigException e) {
      return Optional.of(e.getMessage());
    }
  }
}
