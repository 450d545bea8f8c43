import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;

/**
 * Runs Hadoop's ResourceManager, NodeManager and history server in this process, on free ports, until
 * standard input ends. Java starts it from this source, with Hadoop's own jars:
 *
 * <pre>java -cp JARS YarnCluster.java SITE</pre>
 *
 * <p>Reads settings from the file SITE, and writes them back with the addresses when the cluster runs.
 * Its files are in the working folder.
 */
public final class YarnCluster {
  private YarnCluster() {}

  public static void main(String[] arguments) throws IOException {
    Path site = Path.of(arguments[0]);
    Configuration settings = new Configuration();
    settings.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    try (MiniMRYarnCluster cluster = new MiniMRYarnCluster("yarn", 1)) {
      cluster.init(settings);
      cluster.start();
      Path ready = site.resolveSibling("ready.new");
      try (OutputStream output = Files.newOutputStream(ready)) {
        cluster.getConfig().writeXml(output);
      }
      Files.move(ready, site.resolveSibling("ready.xml"), StandardCopyOption.ATOMIC_MOVE);
      System.in.transferTo(OutputStream.nullOutputStream());
    }
    System.exit(0);
  }
}
