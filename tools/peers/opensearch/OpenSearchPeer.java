import org.codelibs.opensearch.runner.OpenSearchRunner;

/** Runs a server with one node. Arguments: the folder of its data, and the port for HTTP. */
class OpenSearchPeer {
  public static void main(String[] arguments) throws Exception {
    var runner = new OpenSearchRunner();
    // Otherwise a port above 9299 counts as unavailable.
    runner.setMaxHttpPort(-1);
    runner
        .onBuild((number, settings) ->
            settings.put("network.host", "127.0.0.1").put("discovery.type", "single-node"))
        .build(
            OpenSearchRunner.newConfigs()
                .basePath(arguments[0])
                .numOfNode(1)
                .baseHttpPort(Integer.parseInt(arguments[1]) - 1)
                .pluginTypes("org.opensearch.knn.plugin.KNNPlugin")
                .disableESLogger());
    Thread.currentThread().join();
  }
}
