"""Programs whose page is looked at, beside the examples."""

# Text that would do harm if any of it became markup or script.
EVIL = "</script><img src=x onerror=document.title='broken'><!-- \u202e \" ' & \\"
HOSTILE = f"""// {EVIL}
#map = affine_map<(d0) -> (d0)>
func.func @"a</script><b id=broken>%x@"(%x: tensor<8xf32>) -> tensor<8xf32> {{ // {EVIL}
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel"]}} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {{ // {EVIL}
  ^bb0(%in: f32, %o: f32):
    %m = arith.mulf %in, %in : f32
    linalg.yield %m : f32
  }} -> tensor<8xf32>
  %1 = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel"]}} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {{ // {EVIL}
  ^bb0(%in: f32, %o: f32):
    %a = arith.addf %in, %in : f32
    linalg.yield %a : f32
  }} -> tensor<8xf32>
  return %1 : tensor<8xf32>
}}
"""


def function(name, ops):
    """A tensor function with that many generics in a chain."""
    text = f"func.func @{name}(%x: tensor<64xf32>) -> tensor<64xf32> {{\n  %e = tensor.empty() : tensor<64xf32>\n"
    last = "%x"
    for k in range(ops):
        text += (f"  %v{k} = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],"
                 f" iterator_types = [\"parallel\"]}} ins({last} : tensor<64xf32>) outs(%e : tensor<64xf32>) {{\n"
                 f"  ^bb0(%in: f32, %o: f32):\n    %a{k} = arith.addf %in, %in : f32\n    linalg.yield %a{k} : f32\n"
                 f"  }} -> tensor<64xf32>\n")
        last = f"%v{k}"
    return text + f"  return {last} : tensor<64xf32>\n}}\n"
