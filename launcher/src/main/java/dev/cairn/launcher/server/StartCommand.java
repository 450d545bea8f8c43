package dev.cairn.launcher.server;

import dev.cairn.launcher.control.RoleControl;
import dev.cairn.launcher.control.RoleStatus;
import dev.cairn.launcher.control.ServerControl;
import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.run.Exposure;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.ProcessSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn start}. */
@Command(
    name = "start",
    description =
        "Starts the server, or a process of a cluster, in the background; returns when it serves.",
    mixinStandardHelpOptions = true)
public final class StartCommand implements Runnable {
  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;
  @Mixin private RoleOptions process;
  @Mixin private RoleOptions.Settings settings;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    try {
      Optional<RoleControl> role = process.control(cairn);
      if (role.isPresent()) {
        print(role.get(), role.get().start(settings.texts(), out::println), out);
        return;
      }
      if (!settings.texts().isEmpty()) {
        throw new LauncherException(
            "-D works only for processes of a cluster; set the standalone server's keys in "
                + cairn.installation().siteFile());
      }
      ServerControl.Started started = ServerControl.of(cairn).start(out::println);
      SiteConfig config = cairn.siteConfig();
      print(started, Exposure.of(config, started.addresses()), ProcessSettings.review(config), out);
    } catch (IOException e) {
      throw new LauncherException("cannot start: " + Failures.reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LauncherException("interrupted; the server goes on", e);
    }
  }

  /** Prints what a user needs to know of a process that has just started. */
  static void print(RoleControl control, RoleStatus status, PrintWriter out) {
    out.println(control.role().title() + " serves.");
    RoleText.facts(status, out);
    Descriptions.line("log", control.logs().log(), out);
    Descriptions.line("process", status.process().pid(), out);
    out.flush();
  }

  /** Prints what a user needs to know of a server that has just started. */
  private static void print(
      ServerControl.Started started, Exposure exposure, List<String> warnings, PrintWriter out)
      throws InterruptedException {
    out.printf(
        Locale.ROOT,
        "Cairn serves, %.2f s after its process started.%n",
        started.startNanos() / 1e9);
    Descriptions.print(started.addresses(), out);
    exposure.print(out);
    Descriptions.line("data folder", started.dataFolder(), out);
    Descriptions.line("log", started.log(), out);
    Descriptions.line("process", started.pid(), out);
    Descriptions.printFirst("warning", exposure.others(warnings), started.log().toString(), out);
    out.flush();
    FirstHealth.of(started.addresses()).print(out);
    out.flush();
  }
}
