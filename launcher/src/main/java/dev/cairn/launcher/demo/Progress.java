package dev.cairn.launcher.demo;

import java.io.PrintStream;
import java.io.PrintWriter;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows how far a task has come. For one thread. */
interface Progress extends AutoCloseable {
  /** One more is done. */
  void step();

  @Override
  void close();

  /** Shows a bar on a terminal that moves. */
  static Progress bar(PrintStream terminal, String task, long total) {
    ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(new ConsoleProgressBarConsumer(terminal))
            .showSpeed()
            .build();
    return new Progress() {
      @Override
      public void step() {
        bar.step();
      }

      @Override
      public void close() {
        bar.close();
      }
    };
  }

  /** Prints a line for each quarter: for files and pipes. */
  static Progress lines(PrintWriter out, String task, long total) {
    return new Progress() {
      private long done;

      @Override
      public void step() {
        done++;
        if (done * 4 / total > (done - 1) * 4 / total) {
          out.println(task + ": " + done * 100 / total + " %");
          out.flush();
        }
      }

      @Override
      public void close() {}
    };
  }
}
