package org.apache.hadoop.hbase;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;

/**
 * Runs {@link IntegrationTestAcidGuarantees} for as long as {@code
 * hbase.IntegrationTestAcidGuarantees.runtime} says, in milliseconds. On the command line, the
 * original always ends after five seconds, before its monkey does anything. This class is in
 * HBase's package because the original's tool is visible only there.
 */
public class PatchedAcidGuarantees extends IntegrationTestAcidGuarantees {
  @Override
  public int runTestFromCommandLine() throws Exception {
    String millis = getConf().get("hbase.IntegrationTestAcidGuarantees.runtime", "60000");
    String threads = getConf().get("hbase.IntegrationTestAcidGuarantees.threads", "5");
    return tool.run(
        new String[] {
          "-millis", millis, "-numWriters", threads, "-numGetters", threads, "-numScanners", threads
        });
  }

  /**
   * Runs the test.
   *
   * @param arguments the arguments of {@link IntegrationTestBase}
   * @throws Exception if the test cannot run
   */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    IntegrationTestingUtility.setUseDistributedCluster(conf);
    System.exit(ToolRunner.run(conf, new PatchedAcidGuarantees(), arguments));
  }
}
