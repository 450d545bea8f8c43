package dev.cairn.mapreduce;

import dev.cairn.launcher.CairnCommand;
import dev.cairn.launcher.apache.SettingsClassLoader;
import dev.cairn.launcher.output.Failures;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

/**
 * Runs a MapReduce job of Apache HBase, or any other class with a {@code main} method, with the
 * settings of Cairn's configuration folder.
 *
 * <p>Exit status: the job's own; 1 if it could not be started, with one line on standard error; 2
 * if it is unknown.
 */
public final class MapReduce {
  /** Its class is on the class path if {@code bin/cairn example} called. */
  private static final String EXAMPLE = "example";

  private static final String EXAMPLES = "dev.cairn.examples.Examples";
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private MapReduce() {}

  /** Runs the command line. */
  public static void main(String[] words) {
    System.setProperty(
        "logback.configurationFile",
        System.getProperty("logback.configurationFile", "dev/cairn/mapreduce/logback.xml"));
    System.exit(run(List.of(words)));
  }

  private static int run(List<String> words) {
    PrintWriter err = new PrintWriter(System.err, true);
    try {
      Invocation invocation = Invocation.parse(words);
      if (invocation.job().isEmpty()) {
        list(System.out);
        return 0;
      }
      String name = invocation.job().map(word -> word.equals(EXAMPLE) ? EXAMPLES : word).get();
      Optional<BundledJob> bundled = BundledJob.find(name);
      if (bundled.isEmpty() && name.indexOf('.') < 0) {
        throw new IllegalArgumentException(
            "there is no job "
                + name
                + "; bin/cairn mapreduce lists them, and takes the full name of a class, too");
      }
      CairnCommand cairn = CairnCommand.ofProcess().at(invocation.config());
      JobSettings settings = new JobSettings(cairn, System.getenv());
      if (bundled.filter(job -> job == BundledJob.COMPLETE_BULK_LOAD).isPresent()) {
        LinkNotice.of(invocation.arguments(), settings.files(invocation.settings()))
            .ifPresent(notice -> err.println("cairn: " + notice));
      }
      ClassLoader loader = loader(settings, invocation, asksServers(name, bundled, invocation));
      Method program = program(bundled.map(BundledJob::program).orElse(name), loader);
      Thread.currentThread().setContextClassLoader(loader);
      program.invoke(null, (Object) invocation.arguments().toArray(String[]::new));
      return 0;
    } catch (IllegalArgumentException e) {
      err.println("cairn: " + e.getMessage());
      return MISUSED;
    } catch (InvocationTargetException e) {
      Failures.report(e.getCause(), err);
      return FAILED;
    } catch (Exception e) {
      Failures.report(e, err);
      return FAILED;
    }
  }

  private static boolean asksServers(
      String name, Optional<BundledJob> bundled, Invocation invocation) {
    return bundled.isEmpty() && !name.equals(EXAMPLES)
        || bundled.map(BundledJob::asksServers).orElse(true) && !invocation.asksForUsage();
  }

  private static Method program(String name, ClassLoader loader) throws NoSuchMethodException {
    try {
      return Class.forName(name, false, loader).getMethod("main", String[].class);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "there is no class " + name + "; HBASE_CLASSPATH adds jars to the class path", e);
    }
  }

  private static ClassLoader loader(
      JobSettings settings, Invocation invocation, boolean connected) {
    return new SettingsClassLoader(
        connected
            ? settings.withServer(invocation.settings())
            : settings.withoutServer(invocation.settings()),
        settings.folders(),
        System.getProperty("java.class.path"));
  }

  private static void list(PrintStream out) {
    out.println("Usage: bin/cairn mapreduce [--config DIR] JOB|CLASS [ARGUMENTS]");
    out.println("Runs a MapReduce job with the settings of the configuration folder: in this");
    out.println(
        "process, or on the YARN cluster of HADOOP_CONF_DIR. A job without arguments shows");
    out.println("its usage.");
    out.println();
    for (BundledJob job : BundledJob.values()) {
      out.printf("  %-17s %s%n", job.id(), job.sentence());
    }
    out.println();
    out.println("CLASS is the full name of a class with a main method; HBASE_CLASSPATH adds jars.");
  }
}
