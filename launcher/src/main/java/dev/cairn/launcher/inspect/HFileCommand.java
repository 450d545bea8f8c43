package dev.cairn.launcher.inspect;

import dev.cairn.launcher.folder.SiteFolders;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.inspect.FileLocation;
import dev.cairn.tools.inspect.HFilePrinter;
import dev.cairn.tools.inspect.HFileView;
import dev.cairn.tools.inspect.MobIntegrity;
import dev.cairn.tools.inspect.RegionFiles;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn hfile}: prints store files, with the options of Apache's tool. */
@Command(
    name = "hfile",
    description = {
      "Prints store files of Cairn and of HBase, as HBase's own tool does.",
      "Damage ends with status 1 and a line that names the file and the place."
    })
public final class HFileCommand implements Callable<Integer> {
  private static final int BUFFER_SIZE = 64 << 10;

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Option(names = "--help", usageHelp = true, description = "Show this help message and exit.")
  private boolean help;

  @ArgGroup(exclusive = true)
  private Source source = new Source();

  @Parameters(arity = "0..*", paramLabel = "FILE", description = "More files.")
  private List<String> more = List.of();

  @Option(
      names = {"-a", "--checkfamily"},
      description = "Warn of cells of another family than the file's folder.")
  private boolean checkFamily;

  @Option(
      names = {"-b", "--printblocks"},
      description = "Print the root of the block index.")
  private boolean blockIndex;

  @Option(
      names = {"-d", "--details"},
      description = "Print statistics with counts by range.")
  private boolean ranges;

  @Option(
      names = {"-e", "--printkey"},
      description = "Print keys.")
  private boolean keys;

  @Option(
      names = {"-h", "--printblockheaders"},
      description = "Print the header of each block.")
  private boolean blockHeaders;

  @Option(
      names = {"-i", "--checkMobIntegrity"},
      description = "Name cells whose MOB files the data folder does not have.")
  private boolean checkMob;

  @Option(
      names = {"-k", "--checkrow"},
      description = "Warn of rows that are not in order.")
  private boolean checkRow;

  @Option(
      names = {"-m", "--printmeta"},
      description = "Print trailer, file info and Bloom filters.")
  private boolean meta;

  @Option(
      names = {"-p", "--printkv"},
      description = "Print keys, values and tags.")
  private boolean values;

  @Option(
      names = {"-s", "--stats"},
      description = "Print statistics.")
  private boolean statistics;

  @Option(
      names = {"-v", "--verbose"},
      description = "Print the name of each file, and the number of cells.")
  private boolean verbose;

  @Option(
      names = {"-w", "--seekToRow"},
      paramLabel = "ROW",
      description = "Look at this row only; bytes may be written as \\xHH.")
  private Optional<String> row;

  /** The file to show. */
  private static final class Source {
    @Option(
        names = {"-f", "--file"},
        paramLabel = "FILE",
        description = "The file: a local path, a file: or hdfs: URL.")
    private String file;

    @Option(
        names = {"-r", "--region"},
        paramLabel = "NAME",
        description = "All files of a region of the data folder, such as 'hbase:meta,,1'.")
    private String region;
  }

  @Override
  public Integer call() throws IOException {
    cairn.logErrorsOnly();
    if (row.filter(String::isEmpty).isPresent()) {
      throw new ParameterException(spec.commandLine(), "Invalid row is specified.");
    }
    PrintWriter out = new PrintWriter(new BufferedWriter(spec.commandLine().getOut(), BUFFER_SIZE));
    PrintWriter err = spec.commandLine().getErr();
    try {
      if (checkMob) {
        try (FileLocation root =
            FileLocation.folder(new SiteFolders(cairn).root(), configFolder())) {
          print(out, err, Optional.of(new MobIntegrity(root.storage(), err)));
        }
      } else {
        print(out, err, Optional.empty());
      }
    } finally {
      out.flush();
      err.flush();
    }
    return 0;
  }

  private void print(PrintWriter out, PrintWriter err, Optional<MobIntegrity> mob)
      throws IOException {
    HFilePrinter printer = new HFilePrinter(view(), out, err, mob);
    for (String file : files(out)) {
      print(file, printer);
    }
    printer.end();
  }

  private void print(String file, HFilePrinter printer) throws IOException {
    try (FileLocation location = FileLocation.find(file, configFolder())) {
      printer.print(location);
    }
  }

  private List<String> files(PrintWriter out) throws IOException {
    List<String> files = new ArrayList<>();
    if (source.file != null) {
      files.add(source.file);
    }
    if (source.region != null) {
      files.addAll(
          RegionFiles.find(
              new SiteFolders(cairn).root(), source.region, configFolder(), verbose, out));
    }
    files.addAll(more);
    if (files.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "Name a file (-f) or a region (-r)");
    }
    return files;
  }

  private Optional<Path> configFolder() {
    return cairn.installation().configFolder();
  }

  private HFileView view() {
    return new HFileView(
        verbose,
        keys,
        values,
        meta,
        blockIndex,
        blockHeaders,
        statistics || ranges,
        ranges,
        checkRow,
        checkFamily,
        row.map(Bytes::toBytesBinary));
  }
}
