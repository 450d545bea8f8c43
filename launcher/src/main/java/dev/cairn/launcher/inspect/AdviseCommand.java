package dev.cairn.launcher.inspect;

import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.server.advise.Advice;
import dev.cairn.server.advise.AdviceJson;
import dev.cairn.server.advise.AdviceText;
import dev.cairn.server.advise.Adviser;
import dev.cairn.tools.advise.ReportReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn advise}. */
@Command(
    name = "advise",
    description = {
      "Names problems of the row keys, families and files of a table, with numbers, and proposes"
          + " changes. Replays sampled calls to show their effect. Says \"nothing to do\" if all is"
          + " well, and \"too few calls to judge it\" if the servers have sampled fewer than 100.",
      "Asks the web pages of all region servers (hbase.regionserver.info.port; of a standalone"
          + " server, hbase.master.info.port), and changes nothing. Keys can be judged once the"
          + " servers have seen calls for some seconds."
    },
    mixinStandardHelpOptions = true)
public final class AdviseCommand implements Callable<Integer> {
  private static final int RETRIES = 1;

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TABLE",
      description = "The table; without it, all tables but those of the system.")
  private Optional<String> table;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    cairn.logErrorsOnly();
    Optional<TableName> asked = table.map(this::parsed);
    Configuration configuration = RunningServer.configuration(cairn, Map.of());
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, RETRIES);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      if (asked.isPresent() && !admin.tableExists(asked.get())) {
        throw new LauncherException("there is no table " + asked.get());
      }
      List<TableName> tables =
          asked.isPresent()
              ? List.of(asked.get())
              : Arrays.stream(admin.listTableNames()).sorted().toList();
      ReportReader reader = new ReportReader(admin);
      List<Advice> advice = new ArrayList<>();
      List<String> unknown = new ArrayList<>();
      for (TableName name : tables) {
        reader
            .read(name.getNameAsString())
            .map(Adviser::on)
            .ifPresentOrElse(advice::add, () -> unknown.add(name.getNameAsString()));
      }
      List<String> problems = new ArrayList<>(reader.problems());
      unknown.forEach(name -> problems.add(name + ": no server that answers has a region of it"));
      print(advice, problems);
    }
    return 0;
  }

  private TableName parsed(String name) {
    try {
      return TableName.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "TABLE: " + e.getMessage(), e);
    }
  }

  private void print(List<Advice> advice, List<String> problems) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      JsonObject object = new JsonObject();
      JsonArray tables = new JsonArray();
      advice.forEach(one -> tables.add(AdviceJson.of(one)));
      object.add("tables", tables);
      JsonArray sentences = new JsonArray();
      problems.forEach(sentences::add);
      object.add("problems", sentences);
      out.println(
          new GsonBuilder().disableHtmlEscaping().setPrettyPrinting().create().toJson(object));
    } else {
      AdviceText.lines(advice).forEach(out::println);
      if (advice.isEmpty() && problems.isEmpty()) {
        out.println("There are no tables.");
      }
      problems.forEach(out::println);
    }
    out.flush();
  }
}
